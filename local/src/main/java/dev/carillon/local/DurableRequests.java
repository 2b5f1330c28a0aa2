package dev.carillon.local;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.ExecuteTransactionRequest;
import software.amazon.awssdk.services.dynamodb.model.ExecuteTransactionResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;

/**
 * Makes transactions of DynamoDB Local on disk durable before they are answered.
 *
 * <p>DynamoDB Local answers a transaction before it commits it, so a kill can lose the last
 * acknowledged transaction. A plain write waits for the commit of everything before it. Therefore
 * each transaction is followed by a plain write before the transaction is answered.
 */
final class DurableRequests extends LocalDynamoDBRequestHandler {

  /** The table of the plain write; it has one item. */
  static final String BARRIER_TABLE = "carillon-transaction-barrier";

  private static final String KEY = "id";
  private static final int NO_AUTHORITY = 0;

  DurableRequests(String directory) {
    super(NO_AUTHORITY, false, directory, true, false);
  }

  /** Creates the barrier's table unless it exists. */
  void prepare() {
    if (prepared()) {
      return;
    }
    CreateTableRequest request =
        CreateTableRequest.builder()
            .tableName(BARRIER_TABLE)
            .attributeDefinitions(
                AttributeDefinition.builder()
                    .attributeName(KEY)
                    .attributeType(ScalarAttributeType.S)
                    .build())
            .keySchema(KeySchemaElement.builder().attributeName(KEY).keyType(KeyType.HASH).build())
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .build();
    createTable(LocalAccount.ACCESS_KEY, LocalAccount.REGION, request);
  }

  private boolean prepared() {
    ListTablesRequest request =
        ListTablesRequest.builder()
            .exclusiveStartTableName(BARRIER_TABLE.substring(0, BARRIER_TABLE.length() - 1))
            .build();
    return listTables(LocalAccount.ACCESS_KEY, LocalAccount.REGION, request)
        .tableNames()
        .contains(BARRIER_TABLE);
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(
      String accessKey, String region, TransactWriteItemsRequest request) {
    TransactWriteItemsResponse response = super.transactWriteItems(accessKey, region, request);
    awaitCommit(accessKey, region);
    return response;
  }

  @Override
  public ExecuteTransactionResponse executeTransaction(
      String accessKey, String region, ExecuteTransactionRequest request) {
    ExecuteTransactionResponse response = super.executeTransaction(accessKey, region, request);
    awaitCommit(accessKey, region);
    return response;
  }

  private void awaitCommit(String accessKey, String region) {
    putItem(
        accessKey,
        region,
        PutItemRequest.builder()
            .tableName(BARRIER_TABLE)
            .item(Map.of(KEY, AttributeValue.fromS("barrier")))
            .build());
  }
}
