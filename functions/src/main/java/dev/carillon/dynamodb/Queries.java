package dev.carillon.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
    return readable(client, query, wanted, item -> item);
  }

  /** The same of those that can be read, as what is made of them. */
  static <T> List<T> readable(
      DynamoDbClient client,
      QueryRequest query,
      int wanted,
      Function<Map<String, AttributeValue>, T> reader) {
    QueryResponse page = client.query(query);
    List<T> rows = new ArrayList<>(Rows.readable(page.items(), reader));
    while (!page.lastEvaluatedKey().isEmpty() && rows.size() < wanted) {
      page = client.query(query.toBuilder().exclusiveStartKey(page.lastEvaluatedKey()).build());
      rows.addAll(Rows.readable(page.items(), reader));
    }
    return rows.size() > wanted ? rows.subList(0, wanted) : rows;
  }
}
