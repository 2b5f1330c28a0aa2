package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Kills the servers' JVM right after an answer, and checks that every answered write survived. */
@Tag("proof")
@Timeout(600)
class AbruptEndTest {

  private static final String NAME = "kept";

  /**
   * Without the barrier, every second kill loses the last transaction, so five kills almost always
   * find it.
   */
  private static final int KILLS = 5;

  private static final int TRANSACTIONS_A_LIFE = 3;

  @TempDir Path directory;

  @Test
  void afterAKillAnsweredWritesExistAndMessagesInFlightAreVisible() throws IOException {
    List<String> transactions = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    for (int life = 0; life < KILLS; life++) {
      live(life, transactions, messages);
    }
    try (EmbeddedDynamoDb database =
            EmbeddedDynamoDb.inDirectory(directory.resolve("dynamodb"), 0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      assertThat(transactions).allMatch(id -> has(client, id + "-one") && has(client, id + "-two"));
    }
    try (EmbeddedSqs queues = EmbeddedSqs.inDirectory(directory.resolve("sqs"), 0);
        SqsClient client = LocalAccount.sqs(queues.endpoint())) {
      assertThat(receiveAll(client)).containsExactlyElementsOf(new TreeSet<>(messages));
    }
  }

  /**
   * One life of the servers: start, some work, all messages received and left in flight, and the
   * kill.
   */
  private void live(int life, List<String> transactions, List<String> messages) throws IOException {
    Process process = spawn();
    try (BufferedReader output =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        DynamoDbClient database = LocalAccount.dynamoDb(URI.create(output.readLine()));
        SqsClient queues = LocalAccount.sqs(URI.create(output.readLine()))) {
      if (life == 0) {
        createTable(database);
        queues.createQueue(request -> request.queueName(NAME));
      }
      String url = url(queues);
      queues.sendMessage(request -> request.queueUrl(url).messageBody("message " + life));
      messages.add("message " + life);
      assertThat(receiveAll(queues)).containsExactlyElementsOf(new TreeSet<>(messages));
      for (int number = 0; number < TRANSACTIONS_A_LIFE; number++) {
        String id = life + "-" + number;
        putBoth(database, id);
        transactions.add(id);
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private Process spawn() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            DiskServers.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Receives all visible messages, and leaves them in flight. */
  private static TreeSet<String> receiveAll(SqsClient client) {
    TreeSet<String> bodies = new TreeSet<>();
    String url = url(client);
    List<Message> messages;
    do {
      messages =
          client
              .receiveMessage(
                  request -> request.queueUrl(url).maxNumberOfMessages(10).visibilityTimeout(3_600))
              .messages();
      messages.forEach(message -> bodies.add(message.body()));
    } while (!messages.isEmpty());
    return bodies;
  }

  private static String url(SqsClient client) {
    return client.getQueueUrl(request -> request.queueName(NAME)).queueUrl();
  }

  private static void createTable(DynamoDbClient client) {
    AttributeDefinition id =
        AttributeDefinition.builder()
            .attributeName("id")
            .attributeType(ScalarAttributeType.S)
            .build();
    KeySchemaElement key =
        KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build();
    client.createTable(
        request ->
            request
                .tableName(NAME)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(id)
                .keySchema(key));
  }

  private static void putBoth(DynamoDbClient client, String id) {
    client.transactWriteItems(request -> request.transactItems(put(id + "-one"), put(id + "-two")));
  }

  private static TransactWriteItem put(String id) {
    Put put = Put.builder().tableName(NAME).item(Map.of("id", AttributeValue.fromS(id))).build();
    return TransactWriteItem.builder().put(put).build();
  }

  private static boolean has(DynamoDbClient client, String id) {
    return client
        .getItem(
            request ->
                request
                    .tableName(NAME)
                    .consistentRead(true)
                    .key(Map.of("id", AttributeValue.fromS(id))))
        .hasItem();
  }
}
