package dev.carillon.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Queries that go on until all is read. The SDK's own paginators would bring some forty classes
 * into a cold start.
 */
final class Queries {

  private Queries() {}

  /** All items that the query finds. */
  static List<Map<String, AttributeValue>> all(DynamoDbClient client, QueryRequest query) {
    return first(client, query, Integer.MAX_VALUE);
  }

  /** As many as are wanted, or all if there are fewer. */
  static List<Map<String, AttributeValue>> first(
      DynamoDbClient client, QueryRequest query, int wanted) {
    QueryResponse page = client.query(query);
    List<Map<String, AttributeValue>> items = new ArrayList<>(page.items());
    while (!page.lastEvaluatedKey().isEmpty() && items.size() < wanted) {
      page = client.query(query.toBuilder().exclusiveStartKey(page.lastEvaluatedKey()).build());
      items.addAll(page.items());
    }
    return items.size() > wanted ? items.subList(0, wanted) : items;
  }
}
