package dev.carillon.contract;

import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.Tables;
import dev.carillon.job.Jobs;
import java.time.Duration;

class DynamoCollectingJobsTest extends CollectingJobsContract {

  private final Tables tables = Servers.tables();
  private final Jobs jobs = open();
  private final Jobs elsewhere = open();

  private Jobs open() {
    return new DynamoJobs(Servers.dynamoDb(), tables, 3, Duration.ofDays(90), Servers.fanout());
  }

  @Override
  Jobs jobs() {
    return jobs;
  }

  @Override
  Jobs elsewhere() {
    return elsewhere;
  }
}
