package dev.carillon.dynamodb;

import dev.carillon.runtime.Fanout;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The enhanced client without extensions: this package writes its own version conditions. */
final class Database {

  private final DynamoDbEnhancedClient client;
  private final DynamoDbClient plain;

  Database(DynamoDbClient client) {
    this.plain = client;
    this.client =
        DynamoDbEnhancedClient.builder().dynamoDbClient(client).extensions(List.of()).build();
  }

  /** Returns a table, restricted to one kind of item. */
  <T> DynamoDbTable<Item<T>> table(String name, Supplier<TableSchema<T>> schema) {
    return client.table(name, new Item.Schemas<>(schema));
  }

  /** A table whose updates add to the stored numbers. */
  <T> DynamoDbTable<Item<T>> counters(String name, Supplier<TableSchema<T>> schema) {
    return DynamoDbEnhancedClient.builder()
        .dynamoDbClient(plain)
        .extensions(new Additions())
        .build()
        .table(name, new Item.Schemas<>(schema));
  }

  Batches batches(Fanout fanout) {
    return new Batches(client, fanout);
  }

  Writes writes() {
    return new Writes(client);
  }
}
