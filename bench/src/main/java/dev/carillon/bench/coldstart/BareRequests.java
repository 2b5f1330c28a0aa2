package dev.carillon.bench.coldstart;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * Makes the requests of one event of a Carillon function, and nothing else. The requests are given
 * as text, such as {@code BatchGetItem*2;Query*1,Query*1}: first a request for two items, then two
 * concurrent requests. Reads find nothing, and written items have a key and one attribute.
 *
 * <p>It is primed as Carillon's functions are primed before a snapshot: it makes these requests as
 * often as they run their own code, and then drops its connections.
 */
final class BareRequests implements Runnable {

  static final String STEP_END = ";";
  static final String REQUEST_END = ",";
  static final String ENTRIES = "*";

  private static final int REHEARSALS = 200;
  private static final Duration LONGEST_PRIMING = Duration.ofSeconds(15);
  private static final int THREADS = 16;
  private static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));

  private final String table = System.getenv("STATUS_TABLE");
  private final String queue = System.getenv("CHECK_QUEUE_URL");
  private final Connections connections = new Connections();
  private final DynamoDbClient dynamoDb =
      DynamoDbClient.builder()
          .httpClient(connections)
          .endpointOverride(URI.create(System.getenv("AWS_ENDPOINT_URL_DYNAMODB")))
          .credentialsProvider(CREDENTIALS)
          .build();
  private final SqsClient sqs =
      SqsClient.builder()
          .httpClient(connections)
          .endpointOverride(URI.create(System.getenv("AWS_ENDPOINT_URL_SQS")))
          .credentialsProvider(CREDENTIALS)
          .build();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });
  private final List<List<Runnable>> steps = new ArrayList<>();

  BareRequests(String requests) {
    for (String step : requests.split(STEP_END, -1)) {
      steps.add(Stream.of(step.split(REQUEST_END, -1)).map(this::request).toList());
    }
    long end = System.nanoTime() + LONGEST_PRIMING.toNanos();
    for (int i = 0; i < REHEARSALS && System.nanoTime() < end; i++) {
      run();
    }
    connections.drop();
  }

  @Override
  public void run() {
    for (List<Runnable> step : steps) {
      if (step.size() == 1) {
        step.get(0).run();
      } else {
        List<Future<?>> running = new ArrayList<>();
        step.forEach(request -> running.add(threads.submit(request)));
        running.forEach(BareRequests::await);
      }
    }
  }

  private static void await(Future<?> running) {
    try {
      running.get();
    } catch (Exception fault) {
      throw new IllegalStateException(fault);
    }
  }

  private Runnable request(String text) {
    int end = text.indexOf(ENTRIES);
    int entries = Integer.parseInt(text.substring(end + 1));
    String operation = text.substring(0, end);
    return switch (operation) {
      case "BatchGetItem" -> () -> batchGet(entries);
      case "Query" -> this::query;
      case "PutItem" -> () -> dynamoDb.putItem(put -> put.tableName(table).item(item(0)));
      case "TransactWriteItems" -> () -> transaction(entries);
      case "SendMessageBatch" -> () -> send(entries);
      case "GetQueueUrl" -> this::queueUrl;
      case "GetQueueAttributes" -> this::queueAttributes;
      default -> throw new IllegalArgumentException("the bare function cannot make " + operation);
    };
  }

  private void batchGet(int entries) {
    List<Map<String, AttributeValue>> keys =
        IntStream.range(0, entries).mapToObj(n -> Map.of("id", text("absent-" + n))).toList();
    KeysAndAttributes all = KeysAndAttributes.builder().keys(keys).consistentRead(true).build();
    dynamoDb.batchGetItem(get -> get.requestItems(Map.of(table, all)));
  }

  private void query() {
    dynamoDb.query(
        query ->
            query
                .tableName(table)
                .keyConditionExpression("id = :id")
                .expressionAttributeValues(Map.of(":id", text("absent"))));
  }

  private void transaction(int entries) {
    List<TransactWriteItem> writes =
        IntStream.range(0, entries)
            .mapToObj(
                n ->
                    TransactWriteItem.builder()
                        .put(put -> put.tableName(table).item(item(n)))
                        .build())
            .toList();
    dynamoDb.transactWriteItems(transaction -> transaction.transactItems(writes));
  }

  private static Map<String, AttributeValue> item(int number) {
    return Map.of("id", text("bare-" + number), "at", text(Long.toString(System.nanoTime())));
  }

  private static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }

  private void send(int entries) {
    List<SendMessageBatchRequestEntry> messages =
        IntStream.range(0, entries)
            .mapToObj(
                n ->
                    SendMessageBatchRequestEntry.builder()
                        .id(Integer.toString(n))
                        .messageBody("a first event")
                        .build())
            .toList();
    sqs.sendMessageBatch(batch -> batch.queueUrl(queue).entries(messages));
  }

  private void queueUrl() {
    String name = queue.substring(queue.lastIndexOf('/') + 1);
    sqs.getQueueUrl(get -> get.queueName(name));
  }

  private void queueAttributes() {
    sqs.getQueueAttributes(
        get ->
            get.queueUrl(queue).attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES));
  }

  /** An HTTP client whose connections can be dropped. */
  static final class Connections implements SdkHttpClient {

    private volatile SdkHttpClient current = open();

    private static SdkHttpClient open() {
      return Apache5HttpClient.builder().maxConnections(2 * THREADS).build();
    }

    void drop() {
      SdkHttpClient old = current;
      current = open();
      old.close();
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      return current.prepareRequest(request);
    }

    @Override
    public void close() {
      current.close();
    }
  }
}
