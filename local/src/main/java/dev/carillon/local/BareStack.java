package dev.carillon.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The tables and queues of a template, in memory. No function runs. */
public final class BareStack implements AutoCloseable {

  private final EmbeddedDynamoDb database;
  private final EmbeddedSqs queues;
  private final Map<String, String> environment;

  private BareStack(Path file, EmbeddedDynamoDb database, EmbeddedSqs queues) {
    this.database = database;
    this.queues = queues;
    SamTemplate template = LocalEngine.template(file, queues.endpoint());
    try (SqsClient sqs = LocalAccount.sqs(queues.endpoint());
        DynamoDbClient dynamoDb = LocalAccount.dynamoDb(database.endpoint())) {
      Provision.queues(sqs, template.queues());
      Provision.tables(dynamoDb, template.tables());
    }
    environment =
        LocalAccount.environment(
            template.functions().get(0), database.endpoint(), queues.endpoint());
  }

  public static BareStack of(Path template) {
    return new BareStack(template, EmbeddedDynamoDb.inMemory(0), EmbeddedSqs.inMemory(0));
  }

  /** The environment variables of the template's functions. */
  public Map<String, String> environment() {
    return environment;
  }

  public URI dynamoDb() {
    return database.endpoint();
  }

  URI sqs() {
    return queues.endpoint();
  }

  @Override
  public void close() {
    queues.close();
    database.close();
  }
}
