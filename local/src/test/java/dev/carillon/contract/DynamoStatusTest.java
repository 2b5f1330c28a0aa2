package dev.carillon.contract;

import dev.carillon.dynamodb.DynamoStatus;
import dev.carillon.master.StatusStore;

class DynamoStatusTest extends StatusContract {

  private final DynamoStatus status =
      new DynamoStatus(Servers.dynamoDb(), Servers.tables(), Servers.fanout());

  @Override
  StatusStore status() {
    return status;
  }
}
