package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** The tables of a data directory that an older checkout has made. */
class ProvisionTest {

  private static final List<SamTemplate.Table> TABLES =
      LocalEngine.template(Path.of("../template.yaml"), URI.create("http://localhost")).tables();

  @TempDir private Path directory;

  @Test
  void tablesWithoutIndexesAndExpiryGetThoseOfTheTemplate() {
    try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inDirectory(directory, 0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      Provision.tables(client, TABLES.stream().map(table -> former(table, List.of())).toList());
      putIntoEachIndex(client);
    }
    assertTablesAreThoseOfTheTemplate();
  }

  @Test
  void aTableThatLacksOneIndexKeepsTheOthers() {
    try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inDirectory(directory, 0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      Provision.tables(
          client,
          TABLES.stream()
              .map(table -> former(table, table.indexes().stream().skip(1).toList()))
              .toList());
      putIntoEachIndex(client);
    }
    assertTablesAreThoseOfTheTemplate();
  }

  private void assertTablesAreThoseOfTheTemplate() {
    try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inDirectory(directory, 0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      Provision.tables(client, TABLES);
      assertTablesAreThoseOfTheTemplate(client);
      Provision.tables(client, TABLES);
      assertTablesAreThoseOfTheTemplate(client);
    }
  }

  private static void assertTablesAreThoseOfTheTemplate(DynamoDbClient client) {
    for (SamTemplate.Table table : TABLES) {
      TableDescription stored = described(client, table);
      assertThat(stored.globalSecondaryIndexes().stream().map(ProvisionTest::read))
          .containsExactlyInAnyOrderElementsOf(table.indexes());
      table.indexes().forEach(index -> assertThat(hits(client, table, index)).isEqualTo(1));
      TimeToLiveDescription expiry =
          client
              .describeTimeToLive(request -> request.tableName(table.name()))
              .timeToLiveDescription();
      assertThat(expiry.attributeName()).isEqualTo(table.expiry());
      assertThat(expiry.timeToLiveStatus() == TimeToLiveStatus.ENABLED)
          .isEqualTo(table.expiry() != null);
    }
  }

  /** The table, with other indexes and without expiry. */
  private static SamTemplate.Table former(
      SamTemplate.Table table, List<SamTemplate.Index> indexes) {
    Map<String, String> attributes = new LinkedHashMap<>(table.attributes());
    attributes
        .keySet()
        .removeIf(
            name ->
                !table.key().attributes().contains(name)
                    && indexes.stream().noneMatch(it -> it.key().attributes().contains(name)));
    return new SamTemplate.Table(table.name(), attributes, table.key(), indexes, null);
  }

  /** Stores an item that has all key attributes, in each table. */
  private static void putIntoEachIndex(DynamoDbClient client) {
    for (SamTemplate.Table table : TABLES) {
      Map<String, AttributeValue> item = new HashMap<>();
      table.attributes().forEach((name, type) -> item.put(name, value(type)));
      client.putItem(request -> request.tableName(table.name()).item(item));
    }
  }

  private static AttributeValue value(String type) {
    return type.equals("N") ? AttributeValue.fromN("1") : AttributeValue.fromS("x");
  }

  private static int hits(DynamoDbClient client, SamTemplate.Table table, SamTemplate.Index index) {
    String partition = index.key().partition();
    return client
        .query(
            request ->
                request
                    .tableName(table.name())
                    .indexName(index.name())
                    .keyConditionExpression("#p = :p")
                    .expressionAttributeNames(Map.of("#p", partition))
                    .expressionAttributeValues(
                        Map.of(":p", value(table.attributes().get(partition)))))
        .count();
  }

  private static TableDescription described(DynamoDbClient client, SamTemplate.Table table) {
    return client.describeTable(request -> request.tableName(table.name())).table();
  }

  private static SamTemplate.Index read(GlobalSecondaryIndexDescription index) {
    List<String> key = index.keySchema().stream().map(element -> element.attributeName()).toList();
    return new SamTemplate.Index(
        index.indexName(),
        new SamTemplate.Key(key.get(0), key.size() > 1 ? key.get(1) : null),
        index.projection().projectionTypeAsString(),
        index.projection().nonKeyAttributes());
  }
}
