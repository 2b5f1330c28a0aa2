package dev.carillon.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Creates the tables and queues of a template that do not exist. */
final class Provision {

  private Provision() {}

  static void tables(DynamoDbClient client, List<SamTemplate.Table> tables) {
    List<String> present = client.listTables().tableNames();
    for (SamTemplate.Table table : tables) {
      if (!present.contains(table.name())) {
        create(client, table);
      }
    }
  }

  private static void create(DynamoDbClient client, SamTemplate.Table table) {
    List<AttributeDefinition> attributes = new ArrayList<>();
    table
        .attributes()
        .forEach(
            (name, type) ->
                attributes.add(
                    AttributeDefinition.builder().attributeName(name).attributeType(type).build()));
    CreateTableRequest.Builder request =
        CreateTableRequest.builder()
            .tableName(table.name())
            .attributeDefinitions(attributes)
            .keySchema(schema(table.key()))
            .billingMode(BillingMode.PAY_PER_REQUEST);
    if (!table.indexes().isEmpty()) {
      request.globalSecondaryIndexes(table.indexes().stream().map(Provision::index).toList());
    }
    client.createTable(request.build());
    if (table.expiry() != null) {
      client.updateTimeToLive(
          update ->
              update
                  .tableName(table.name())
                  .timeToLiveSpecification(
                      expiry -> expiry.attributeName(table.expiry()).enabled(true)));
    }
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
