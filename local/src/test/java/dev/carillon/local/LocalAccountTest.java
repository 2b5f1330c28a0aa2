package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

@Isolated("system properties are those of all tests in the JVM")
@Timeout(60)
class LocalAccountTest {

  /** A proxy that no request reaches. */
  private static final Map<String, String> PROXY =
      Map.of(
          "http.proxyHost", "127.0.0.1",
          "http.proxyPort", "1",
          "http.nonProxyHosts", "none.invalid");

  private final Map<String, String> before = new HashMap<>();

  @BeforeEach
  void setProxy() {
    PROXY.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
  }

  @AfterEach
  void restore() {
    before.forEach(
        (name, value) -> {
          if (value == null) {
            System.clearProperty(name);
          } else {
            System.setProperty(name, value);
          }
        });
  }

  @Test
  void requestsToTheLocalQueuesUseNoProxy() {
    try (EmbeddedSqs queues = EmbeddedSqs.inMemory(0);
        SqsClient client = LocalAccount.sqs(queues.endpoint())) {
      assertThat(client.listQueues().queueUrls()).isEmpty();
    }
  }

  @Test
  void requestsToTheLocalDatabaseUseNoProxy() {
    try (EmbeddedDynamoDb database = EmbeddedDynamoDb.inMemory(0);
        DynamoDbClient client = LocalAccount.dynamoDb(database.endpoint())) {
      assertThat(client.listTables().tableNames()).isEmpty();
    }
  }
}
