package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
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

class EmbeddedServersTest {

  private static final String ANY = "any";

  @TempDir Path directory;

  @Test
  void aTransactionIsStoredInMemory() {
    try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inMemory(0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      createTable(client);
      putInTransaction(client, "a");
      assertThat(has(client, "a")).isTrue();
      assertThat(database.endpoint().getHost()).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void twoDatabasesInMemoryAreIsolated() {
    try (EmbeddedDynamoDb one = EmbeddedDynamoDb.inMemory(0);
        EmbeddedDynamoDb other = EmbeddedDynamoDb.inMemory(0);
        DynamoDbClient first = LocalAccount.dynamoDb(one.endpoint());
        DynamoDbClient second = LocalAccount.dynamoDb(other.endpoint())) {
      createTable(first);
      assertThat(second.listTables().tableNames()).isEmpty();
    }
  }

  @Test
  void aDatabaseAnswersWhileOthersStart() throws InterruptedException {
    AtomicBoolean hasStarted = new AtomicBoolean();
    Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inMemory(0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      Runnable calls =
          () -> {
            while (!hasStarted.get()) {
              try {
                client.listTables();
              } catch (RuntimeException failure) {
                failures.add(failure);
              }
            }
          };
      List<Thread> callers = List.of(new Thread(calls), new Thread(calls), new Thread(calls));
      callers.forEach(Thread::start);
      for (int i = 0; i < 50; i++) {
        EmbeddedDynamoDb.inMemory(0).close();
      }
      hasStarted.set(true);
      for (Thread caller : callers) {
        caller.join();
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void aDatabaseInADirectoryIsThereAtTheNextStart() {
    try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inDirectory(directory, 0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      createTable(client);
      putInTransaction(client, "a");
    }
    try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inDirectory(directory, 0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      assertThat(has(client, "a")).isTrue();
    }
  }

  @Test
  void aMessageIsCarriedInMemory() {
    try (EmbeddedSqs queues = EmbeddedSqs.inMemory(0);
        SqsClient client = LocalAccount.sqs(queues.endpoint())) {
      String url = client.createQueue(request -> request.queueName(ANY)).queueUrl();
      client.sendMessage(request -> request.queueUrl(url).messageBody("hello"));
      assertThat(receive(client, url).body()).isEqualTo("hello");
      assertThat(URI.create(url).getPort()).isEqualTo(queues.endpoint().getPort());
    }
  }

  @Test
  void messagesInADirectoryAreThereAtTheNextStartThoseInFlightToo() {
    try (EmbeddedSqs queues = EmbeddedSqs.inDirectory(directory, 0);
        SqsClient client = LocalAccount.sqs(queues.endpoint())) {
      String url = client.createQueue(request -> request.queueName(ANY)).queueUrl();
      client.sendMessage(request -> request.queueUrl(url).messageBody("in flight"));
      client.sendMessage(request -> request.queueUrl(url).messageBody("delayed").delaySeconds(900));
      assertThat(receive(client, url).body()).isEqualTo("in flight");
    }
    try (EmbeddedSqs queues = EmbeddedSqs.inDirectory(directory, 0);
        SqsClient client = LocalAccount.sqs(queues.endpoint())) {
      String url = client.getQueueUrl(request -> request.queueName(ANY)).queueUrl();
      assertThat(receive(client, url).body()).isEqualTo("in flight");
      assertThat(client.receiveMessage(request -> request.queueUrl(url)).messages()).isEmpty();
    }
  }

  @Test
  void messagesThatSqsKeepsNoLongerAreDeletedAtTheNextStart() throws SQLException {
    try (EmbeddedSqs queues = EmbeddedSqs.inDirectory(directory, 0);
        SqsClient client = LocalAccount.sqs(queues.endpoint())) {
      String url = client.createQueue(request -> request.queueName(ANY)).queueUrl();
      client.sendMessage(request -> request.queueUrl(url).messageBody("expired"));
    }
    age(Duration.ofDays(2));
    try (EmbeddedSqs queues = EmbeddedSqs.inDirectory(directory, 0);
        SqsClient client = LocalAccount.sqs(queues.endpoint())) {
      String url = client.getQueueUrl(request -> request.queueName(ANY)).queueUrl();
      client.sendMessage(request -> request.queueUrl(url).messageBody("kept"));
    }
    age(Duration.ofDays(13));
    try (EmbeddedSqs queues = EmbeddedSqs.inDirectory(directory, 0);
        SqsClient client = LocalAccount.sqs(queues.endpoint())) {
      String url = client.getQueueUrl(request -> request.queueName(ANY)).queueUrl();
      assertThat(receive(client, url).body()).isEqualTo("kept");
      assertThat(client.receiveMessage(request -> request.queueUrl(url)).messages()).isEmpty();
    }
  }

  /** Lets stored messages appear to have been sent earlier. */
  private void age(Duration difference) throws SQLException {
    try (Connection connection = DriverManager.getConnection(new QueueFile(directory).url());
        Statement statement = connection.createStatement()) {
      for (String table : QueueFile.messageTables(connection)) {
        statement.executeUpdate(
            "update \"%s\" set created = created - %d".formatted(table, difference.toMillis()));
      }
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> EmbeddedDynamoDb.inMemory(port))
          .isInstanceOf(StartFault.class)
          .hasMessageContaining("port " + port)
          .hasMessageContaining("--dynamodb-port");
      assertThatThrownBy(() -> EmbeddedSqs.inMemory(port))
          .isInstanceOf(StartFault.class)
          .hasMessageContaining("port " + port)
          .hasMessageContaining("--sqs-port");
    }
  }

  private static Message receive(SqsClient client, String url) {
    return client
        .receiveMessage(request -> request.queueUrl(url).waitTimeSeconds(5).visibilityTimeout(900))
        .messages()
        .get(0);
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
                .tableName(ANY)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(id)
                .keySchema(key));
  }

  private static void putInTransaction(DynamoDbClient client, String id) {
    Put put = Put.builder().tableName(ANY).item(Map.of("id", AttributeValue.fromS(id))).build();
    TransactWriteItem item = TransactWriteItem.builder().put(put).build();
    client.transactWriteItems(request -> request.transactItems(item));
  }

  private static boolean has(DynamoDbClient client, String id) {
    return client
        .getItem(
            request ->
                request
                    .tableName(ANY)
                    .consistentRead(true)
                    .key(Map.of("id", AttributeValue.fromS(id))))
        .hasItem();
  }
}
