package dev.carillon.contract;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.carillon.dynamodb.Tables;
import dev.carillon.local.EmbeddedDynamoDb;
import dev.carillon.local.EmbeddedSqs;
import dev.carillon.local.LocalAccount;
import dev.carillon.runtime.Fanout;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * The servers for all tests of this JVM, with tables and queues for each test: DynamoDB Local and
 * ElasticMQ, or a foreign one.
 */
public final class Servers {

  /** The shards of timers and of attention, in {@link #environment}. */
  public static final int SHARDS = 4;

  /** The prefix of target queues, in {@link #environment}. */
  public static final String TARGET_PREFIX = "carillon-target-";

  private static final URI DYNAMO_DB =
      ForeignServer.isWanted()
          ? ForeignServer.endpoint().orElseThrow()
          : EmbeddedDynamoDb.inMemory(0).endpoint();
  private static final URI SQS =
      ForeignServer.isWanted() ? DYNAMO_DB : EmbeddedSqs.inMemory(0).endpoint();
  private static final ExecutorService THREADS =
      Executors.newFixedThreadPool(
          16,
          task -> {
            Thread thread = new Thread(task, "fanout");
            thread.setDaemon(true);
            return thread;
          });

  private static final DynamoDbClient PLAIN = dynamoDb(List.of());
  private static final SqsClient PLAIN_SQS = sqs(List.of());
  private static final ThreadLocal<List<Tables>> CREATED = ThreadLocal.withInitial(ArrayList::new);

  private Servers() {}

  /** For tests with concurrent writes: AWS isolates requests, moto does not. */
  static void assumeKeepsRequestsApart() {
    assumeFalse(ForeignServer.isWanted(), "foreign servers need not keep apart what comes at once");
  }

  /** For tests of request cost: DynamoDB Local reports it as AWS does, other servers do not. */
  static void assumeExactCapacity() {
    assumeFalse(ForeignServer.isWanted(), "foreign servers report capacity in their own ways");
  }

  /** For tests of cancelled transactions: moto reports no reasons. */
  static void assumeCancelsLargeItems() {
    assumeFalse(ForeignServer.isWanted(), "foreign servers need not say which item is too large");
  }

  /** For tests that move dead letters back, which some foreign servers do not support. */
  static void assumeMovesMessages(String queueArn) {
    try {
      PLAIN_SQS.listMessageMoveTasks(list -> list.sourceArn(queueArn));
    } catch (SqsException fault) {
      assumeFalse(
          ForeignServer.isWanted() && lacksOperation(fault),
          "this server has no message move tasks: " + fault.getMessage());
      throw fault;
    }
  }

  /** Whether the server lacks an operation; moto reports that by a 500. */
  private static boolean lacksOperation(SqsException fault) {
    return fault.statusCode() >= 500 || fault.awsErrorDetails().errorCode().equals("InvalidAction");
  }

  public static Fanout fanout() {
    return new Fanout(THREADS);
  }

  public static DynamoDbClient dynamoDb() {
    return PLAIN;
  }

  public static SqsClient sqs() {
    return PLAIN_SQS;
  }

  /** A client with interceptors that observe or disturb its requests. */
  public static DynamoDbClient dynamoDb(List<ExecutionInterceptor> interceptors) {
    return dynamoDb(interceptors, Apache5HttpClient.builder().maxConnections(50).build());
  }

  static DynamoDbClient dynamoDb(List<ExecutionInterceptor> interceptors, SdkHttpClient http) {
    return DynamoDbClient.builder()
        .endpointOverride(DYNAMO_DB)
        .region(Region.of(LocalAccount.REGION))
        .credentialsProvider(credentials())
        .httpClient(http)
        .overrideConfiguration(it -> interceptors.forEach(it::addExecutionInterceptor))
        .build();
  }

  /** A client with interceptors that observe or disturb its requests. */
  public static SqsClient sqs(List<ExecutionInterceptor> interceptors) {
    return SqsClient.builder()
        .endpointOverride(SQS)
        .region(Region.of(LocalAccount.REGION))
        .credentialsProvider(credentials())
        .httpClientBuilder(Apache5HttpClient.builder().maxConnections(50))
        .overrideConfiguration(it -> interceptors.forEach(it::addExecutionInterceptor))
        .build();
  }

  public static URI dynamoDbEndpoint() {
    return DYNAMO_DB;
  }

  public static URI sqsEndpoint() {
    return SQS;
  }

  private static StaticCredentialsProvider credentials() {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
  }

  /** An unused name. */
  public static String fresh(String prefix) {
    return prefix + "-" + UUID.randomUUID();
  }

  /** The URL of a new queue. */
  public static String queue() {
    return queue(fresh("queue"));
  }

  public static String queue(String name) {
    return PLAIN_SQS
        .createQueue(
            create -> {
              create.queueName(name);
              if (name.endsWith(".fifo")) {
                create.attributesWithStrings(Map.of("FifoQueue", "true"));
              }
            })
        .queueUrl();
  }

  public static String arn(String queueName) {
    return "arn:aws:sqs:" + LocalAccount.REGION + ":" + LocalAccount.ID + ":" + queueName;
  }

  /** Receives and deletes the visible messages; returns their bodies. */
  public static List<String> take(String queueUrl) {
    List<String> bodies = new ArrayList<>();
    PLAIN_SQS
        .receiveMessage(it -> it.queueUrl(queueUrl).maxNumberOfMessages(10))
        .messages()
        .stream()
        .forEach(
            message -> {
              bodies.add(message.body());
              PLAIN_SQS.deleteMessage(
                  it -> it.queueUrl(queueUrl).receiptHandle(message.receiptHandle()));
            });
    if (!bodies.isEmpty()) {
      bodies.addAll(take(queueUrl));
    }
    return bodies;
  }

  static long attribute(String queueUrl, QueueAttributeName name) {
    return Long.parseLong(
        PLAIN_SQS
            .getQueueAttributes(it -> it.queueUrl(queueUrl).attributeNames(name))
            .attributes()
            .get(name));
  }

  /** New tables, until the end of the test that this thread runs. */
  public static Tables tables() {
    String prefix = fresh("test");
    Tables tables =
        new Tables(
            prefix + "-schedules",
            prefix + "-timers",
            prefix + "-jobs",
            prefix + "-gates",
            prefix + "-status");
    create(
        table(tables.schedules(), "schedule", "item")
            .attributeDefinitions(strings("schedule", "item", "eventKey", "namespace", "name"))
            .globalSecondaryIndexes(
                index("eventKey", "eventKey", "schedule", ProjectionType.KEYS_ONLY),
                index("namespace", "namespace", "name", ProjectionType.ALL)));
    create(table(tables.timers(), "shard", "due").attributeDefinitions(strings("shard", "due")));
    List<AttributeDefinition> ofJobs =
        new ArrayList<>(strings("schedule", "item", "attentionShard", "unfinished", "link"));
    ofJobs.add(attribute("attentionAt", ScalarAttributeType.N));
    create(
        table(tables.jobs(), "schedule", "item")
            .attributeDefinitions(ofJobs)
            .globalSecondaryIndexes(
                index("attention", "attentionShard", "attentionAt", ProjectionType.INCLUDE),
                index("unfinished", "unfinished", "item", ProjectionType.KEYS_ONLY),
                index("link", "link", "item", ProjectionType.KEYS_ONLY)));
    List<AttributeDefinition> ofGates = new ArrayList<>(strings("gate", "item", "attentionShard"));
    ofGates.add(attribute("attentionAt", ScalarAttributeType.N));
    create(
        table(tables.gates(), "gate", "item")
            .attributeDefinitions(ofGates)
            .globalSecondaryIndexes(
                index("attention", "attentionShard", "attentionAt", ProjectionType.KEYS_ONLY)));
    create(
        CreateTableRequest.builder()
            .tableName(tables.status())
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .keySchema(key("id", KeyType.HASH))
            .attributeDefinitions(strings("id")));
    CREATED.get().add(tables);
    return tables;
  }

  /** Deletes the tables that this thread has created. */
  static void deleteTables() {
    for (Tables tables : CREATED.get()) {
      Stream.of(tables.schedules(), tables.timers(), tables.jobs(), tables.gates(), tables.status())
          .forEach(name -> PLAIN.deleteTable(it -> it.tableName(name)));
    }
    CREATED.remove();
  }

  /** The environment of functions with these tables and their own queues. */
  public static Map<String, String> environment(Tables tables) {
    Map<String, String> environment = new HashMap<>();
    environment.put("AWS_REGION", LocalAccount.REGION);
    environment.put("ACCOUNT_ID", LocalAccount.ID);
    environment.put("AWS_ENDPOINT_URL_DYNAMODB", DYNAMO_DB.toString());
    environment.put("AWS_ENDPOINT_URL_SQS", SQS.toString());
    environment.put("SCHEDULES_TABLE", tables.schedules());
    environment.put("TIMERS_TABLE", tables.timers());
    environment.put("JOBS_TABLE", tables.jobs());
    environment.put("GATES_TABLE", tables.gates());
    environment.put("STATUS_TABLE", tables.status());
    environment.put("CHECK_QUEUE_URL", queue());
    environment.put("OVERDUE_QUEUE_URL", queue());
    environment.put("CHECK_DEAD_LETTERS_URL", queue());
    environment.put("INGEST_QUEUE_URL", queue());
    environment.put("INGEST_DEAD_LETTERS_URL", queue());
    environment.put("REPORT_QUEUE_URL", queue());
    environment.put("REPORT_DEAD_LETTERS_URL", queue());
    environment.put("REJECTED_QUEUE_URL", queue());
    environment.put("NAMESPACE_QUEUE_PREFIX", "carillon-namespace-");
    environment.put("RESERVED_QUEUES", "none");
    environment.put("TARGET_PREFIX", TARGET_PREFIX);
    environment.put("ALLOWED_TARGETS", "*");
    environment.put("DEFAULT_ZONE", "UTC");
    environment.put("RETENTION_DAYS", "90");
    environment.put("TIMER_SHARDS", Integer.toString(SHARDS));
    environment.put("ATTENTION_SHARDS", Integer.toString(SHARDS));
    environment.put("CREATE_TARGET_QUEUES", "false");
    return environment;
  }

  private static void create(CreateTableRequest.Builder table) {
    PLAIN.createTable(table.build());
  }

  private static CreateTableRequest.Builder table(String name, String hash, String range) {
    return CreateTableRequest.builder()
        .tableName(name)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .keySchema(key(hash, KeyType.HASH), key(range, KeyType.RANGE));
  }

  private static GlobalSecondaryIndex index(
      String name, String hash, String range, ProjectionType type) {
    Projection.Builder projection = Projection.builder().projectionType(type);
    if (type == ProjectionType.INCLUDE) {
      projection.nonKeyAttributes("state");
    }
    return GlobalSecondaryIndex.builder()
        .indexName(name)
        .keySchema(key(hash, KeyType.HASH), key(range, KeyType.RANGE))
        .projection(projection.build())
        .build();
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  private static List<AttributeDefinition> strings(String... names) {
    return List.of(names).stream().map(name -> attribute(name, ScalarAttributeType.S)).toList();
  }

  private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
    return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
  }
}
