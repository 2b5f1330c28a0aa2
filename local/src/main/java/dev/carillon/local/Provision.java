package dev.carillon.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * Creates the tables and queues of a template that do not exist. Completes tables that an older
 * template made, or whose creation was interrupted by a kill.
 */
final class Provision {

  private static final Duration LONGEST_CREATION = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Provision() {}

  static void tables(DynamoDbClient client, List<SamTemplate.Table> tables) {
    List<String> present = client.listTables().tableNames();
    for (SamTemplate.Table table : tables) {
      if (present.contains(table.name())) {
        addIndexes(client, table);
        expire(client, table, expiry(client, table.name()));
      } else {
        create(client, table);
        expire(client, table, TimeToLiveStatus.DISABLED);
      }
    }
  }

  private static void create(DynamoDbClient client, SamTemplate.Table table) {
    CreateTableRequest.Builder request =
        CreateTableRequest.builder()
            .tableName(table.name())
            .attributeDefinitions(definitions(table, table.attributes().keySet()))
            .keySchema(schema(table.key()))
            .billingMode(BillingMode.PAY_PER_REQUEST);
    if (!table.indexes().isEmpty()) {
      request.globalSecondaryIndexes(table.indexes().stream().map(Provision::index).toList());
    }
    client.createTable(request.build());
  }

  /** Creates missing indexes one after the other, because DynamoDB creates only one at a time. */
  private static void addIndexes(DynamoDbClient client, SamTemplate.Table table) {
    Set<String> present = indexes(client, table.name()).keySet();
    for (SamTemplate.Index index : table.indexes()) {
      if (!present.contains(index.name())) {
        GlobalSecondaryIndex missing = index(index);
        GlobalSecondaryIndexUpdate creation =
            GlobalSecondaryIndexUpdate.builder()
                .create(
                    create ->
                        create
                            .indexName(missing.indexName())
                            .keySchema(missing.keySchema())
                            .projection(missing.projection()))
                .build();
        client.updateTable(
            update ->
                update
                    .tableName(table.name())
                    .attributeDefinitions(definitions(table, index.key().attributes()))
                    .globalSecondaryIndexUpdates(creation));
        awaitIndex(client, table.name(), index.name());
      }
    }
  }

  private static void awaitIndex(DynamoDbClient client, String table, String index) {
    long end = System.nanoTime() + LONGEST_CREATION.toNanos();
    while (indexes(client, table).get(index) != IndexStatus.ACTIVE) {
      if (System.nanoTime() > end) {
        throw new StartFault(
            "the new index %s of the table %s is not complete after %d s; start the engine again"
                .formatted(index, table, LONGEST_CREATION.toSeconds()));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private static Map<String, IndexStatus> indexes(DynamoDbClient client, String table) {
    return client
        .describeTable(request -> request.tableName(table))
        .table()
        .globalSecondaryIndexes()
        .stream()
        .collect(
            Collectors.toMap(
                GlobalSecondaryIndexDescription::indexName,
                GlobalSecondaryIndexDescription::indexStatus));
  }

  private static TimeToLiveStatus expiry(DynamoDbClient client, String table) {
    return client
        .describeTimeToLive(request -> request.tableName(table))
        .timeToLiveDescription()
        .timeToLiveStatus();
  }

  /** Enables the expiry of items, unless it is enabled; DynamoDB refuses to enable it twice. */
  private static void expire(
      DynamoDbClient client, SamTemplate.Table table, TimeToLiveStatus present) {
    if (table.expiry() != null && present != TimeToLiveStatus.ENABLED) {
      client.updateTimeToLive(
          update ->
              update
                  .tableName(table.name())
                  .timeToLiveSpecification(
                      expiry -> expiry.attributeName(table.expiry()).enabled(true)));
    }
  }

  private static List<AttributeDefinition> definitions(
      SamTemplate.Table table, Collection<String> names) {
    return names.stream()
        .map(
            name ->
                AttributeDefinition.builder()
                    .attributeName(name)
                    .attributeType(table.attributes().get(name))
                    .build())
        .toList();
  }

  private static GlobalSecondaryIndex index(SamTemplate.Index index) {
    Projection.Builder projection = Projection.builder().projectionType(index.projection());
    if (!index.included().isEmpty()) {
      projection.nonKeyAttributes(index.included());
    }
    return GlobalSecondaryIndex.builder()
        .indexName(index.name())
        .keySchema(schema(index.key()))
        .projection(projection.build())
        .build();
  }

  private static List<KeySchemaElement> schema(SamTemplate.Key key) {
    List<KeySchemaElement> schema = new ArrayList<>();
    schema.add(element(key.partition(), KeyType.HASH));
    if (key.sort() != null) {
      schema.add(element(key.sort(), KeyType.RANGE));
    }
    return schema;
  }

  private static KeySchemaElement element(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  /** Creates the queues. Dead-letter queues come first, because redrive policies refer to them. */
  static void queues(SqsClient client, List<SamTemplate.Queue> queues) {
    for (SamTemplate.Queue queue : queues) {
      make(client, queue);
    }
    for (SamTemplate.Queue queue : queues) {
      if (queue.redrivePolicy() != null) {
        setAttributes(
            client, queue.name(), Map.of(QueueAttributeName.REDRIVE_POLICY, queue.redrivePolicy()));
      }
    }
  }

  private static void make(SqsClient client, SamTemplate.Queue queue) {
    Map<QueueAttributeName, String> attributes = new LinkedHashMap<>();
    queue
        .attributes()
        .forEach((name, value) -> attributes.put(QueueAttributeName.fromValue(name), value));
    if (url(client, queue.name()) == null) {
      client.createQueue(request -> request.queueName(queue.name()).attributes(attributes));
      return;
    }
    attributes.remove(QueueAttributeName.FIFO_QUEUE);
    if (!attributes.isEmpty()) {
      setAttributes(client, queue.name(), attributes);
    }
  }

  private static void setAttributes(
      SqsClient client, String queueName, Map<QueueAttributeName, String> attributes) {
    String url = client.getQueueUrl(request -> request.queueName(queueName)).queueUrl();
    client.setQueueAttributes(request -> request.queueUrl(url).attributes(attributes));
  }

  private static @Nullable String url(SqsClient client, String queueName) {
    try {
      return client.getQueueUrl(request -> request.queueName(queueName)).queueUrl();
    } catch (QueueDoesNotExistException absent) {
      return null;
    }
  }
}
