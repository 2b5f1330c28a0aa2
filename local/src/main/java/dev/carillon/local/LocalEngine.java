package dev.carillon.local;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The stack of a template on this machine: its tables in DynamoDB Local, its queues in ElasticMQ,
 * its functions and their event sources. All of it runs in this JVM, except isolated functions.
 */
public final class LocalEngine implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LocalEngine.class);
  private static final String STACK = "carillon";
  private static final Duration READY_TIME = Duration.ofSeconds(30);
  private static final String READY = "answers 200";
  private static final long READY_PAUSE_MILLIS = 50;

  /** The prefix of the names of target queues; schedules may omit it. */
  public static final String TARGET_PREFIX = STACK + "-target-";

  /**
   * Allows every local queue as a target. The functions read an ARN of another region or account as
   * the ARN of the local queue with the same name.
   */
  private static final Map<String, String> PARAMETERS =
      Map.of("AllowedTargets", LocalAccount.queueArn("*"), "TargetPrefix", TARGET_PREFIX);

  /** The template of this checkout, in the directory that the launcher passes. */
  public static final Path TEMPLATE =
      Path.of(System.getProperty("carillon.home", "."), "template.yaml");

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Gateway gateway;
  private final URI dynamoDb;
  private final URI sqs;
  private Map<String, String> environment = Map.of();

  /**
   * The options of an engine.
   *
   * @param template the SAM template
   * @param httpPort the port of the HTTP API; 0 for any free port; the same holds for the other
   *     ports
   * @param data the data directory; null to keep data in memory
   * @param isolated whether each function runs in a separate process
   */
  public record Options(
      Path template,
      int httpPort,
      int sqsPort,
      int dynamoDbPort,
      @Nullable Path data,
      boolean isolated) {

    /** Options with the functions in this JVM. */
    public Options(
        Path template, int httpPort, int sqsPort, int dynamoDbPort, @Nullable Path data) {
      this(template, httpPort, sqsPort, dynamoDbPort, data, false);
    }
  }

  private LocalEngine(Options options) {
    try {
      gateway = opened(new Gateway(options.httpPort()));
      gateway.open();
      DataDirectory data =
          options.data() == null ? null : opened(DataDirectory.take(options.data()));
      CompletableFuture<EmbeddedSqs> starting =
          CompletableFuture.supplyAsync(() -> opened(queues(options.sqsPort(), data)));
      try {
        dynamoDb = opened(database(options.dynamoDbPort(), data)).endpoint();
      } finally {
        ended(starting);
      }
      sqs = starting.join().endpoint();
      deploy(options);
    } catch (CompletionException fault) {
      close();
      throw fault.getCause() instanceof StartFault cause ? cause : fault;
    } catch (RuntimeException fault) {
      close();
      throw fault;
    }
  }

  private LocalEngine(Options options, URI servers) {
    dynamoDb = servers;
    sqs = servers;
    try {
      gateway = opened(new Gateway(options.httpPort()));
      gateway.open();
      deploy(options);
    } catch (RuntimeException fault) {
      close();
      throw fault;
    }
  }

  /**
   * Starts an engine on running servers for DynamoDB and SQS, such as LocalStack.
   *
   * @throws StartFault if the engine cannot start on these servers
   */
  static LocalEngine on(URI servers, Options options) {
    return new LocalEngine(options, servers);
  }

  /**
   * Starts the engine and waits until requests are answered.
   *
   * @throws StartFault if the engine cannot start
   */
  public static LocalEngine start(Options options) {
    return new LocalEngine(options);
  }

  /** The address of the HTTP API. */
  public URI http() {
    return gateway.address();
  }

  /**
   * Waits until {@code GET /v1/status} answers 200.
   *
   * @throws StartFault if this takes too long
   */
  public void awaitReady() throws InterruptedException {
    long end = System.nanoTime() + READY_TIME.toNanos();
    String last = status();
    while (!last.equals(READY)) {
      if (System.nanoTime() > end) {
        throw new StartFault(
            "the engine is not ready after " + READY_TIME.toSeconds() + " s: /v1/status " + last);
      }
      Thread.sleep(READY_PAUSE_MILLIS);
      last = status();
    }
  }

  private String status() {
    try {
      HttpURLConnection request =
          (HttpURLConnection) http().resolve("/v1/status").toURL().openConnection();
      request.setReadTimeout((int) READY_TIME.toMillis());
      return "answers " + request.getResponseCode();
    } catch (IOException fault) {
      return "does not answer: " + fault;
    }
  }

  /** The queue that takes events. */
  public URI ingestQueue() {
    return sqs().resolve("/" + LocalAccount.ID + "/" + STACK + "-ingest");
  }

  /** The queue that takes reports of workers. */
  public URI reportQueue() {
    return sqs().resolve("/" + LocalAccount.ID + "/" + STACK + "-report");
  }

  public URI sqs() {
    return sqs;
  }

  public URI dynamoDb() {
    return dynamoDb;
  }

  /** The environment variables of the functions. */
  public Map<String, String> environment() {
    return environment;
  }

  /** Stops all parts in reverse order of their start: event sources first, servers last. */
  @Override
  public void close() {
    AutoCloseable next = pop();
    while (next != null) {
      try {
        next.close();
      } catch (Exception fault) {
        LOG.warn("{} did not stop cleanly", next.getClass().getSimpleName(), fault);
      }
      next = pop();
    }
  }

  private @Nullable AutoCloseable pop() {
    synchronized (open) {
      return open.poll();
    }
  }

  private <T extends AutoCloseable> T opened(T resource) {
    synchronized (open) {
      open.push(resource);
    }
    return resource;
  }

  private static void ended(CompletableFuture<?> start) {
    start.handle((started, fault) -> true).join();
  }

  private static EmbeddedDynamoDb database(int port, @Nullable DataDirectory data) {
    return data == null
        ? EmbeddedDynamoDb.inMemory(port)
        : EmbeddedDynamoDb.inDirectory(data.database(), port);
  }

  private static EmbeddedSqs queues(int port, @Nullable DataDirectory data) {
    return data == null ? EmbeddedSqs.inMemory(port) : EmbeddedSqs.inDirectory(data.queues(), port);
  }

  static SamTemplate template(Path file, URI sqs) {
    return SamTemplate.of(new CloudFormation(file, STACK, PARAMETERS, sqs));
  }

  private void deploy(Options options) {
    SamTemplate template = template(options.template(), sqs);
    SqsClient client = opened(LocalAccount.sqs(sqs));
    Provision.queues(client, template.queues());
    try (DynamoDbClient tables = LocalAccount.dynamoDb(dynamoDb)) {
      Provision.tables(tables, template.tables());
    }
    Loader loader = options.isolated() ? isolated() : inThisJvm();
    Map<SamTemplate.Function, LocalFunction> functions = new LinkedHashMap<>();
    for (SamTemplate.Function function : template.functions()) {
      environment = LocalAccount.environment(function, dynamoDb, sqs);
      functions.put(function, opened(loader.load(function, environment)));
    }
    functions.values().forEach(LocalFunction::awaitReady);
    functions.forEach((definition, function) -> connect(definition, function, client));
    gateway.start();
    opened(gateway);
  }

  /** Loads a function of the template, or starts to load it. */
  private interface Loader {
    LocalFunction load(SamTemplate.Function function, Map<String, String> environment);
  }

  private static Loader isolated() {
    RuntimeClient client = RuntimeClient.ofThisEngine();
    return (function, environment) -> IsolatedFunction.start(client, function, environment);
  }

  private Loader inThisJvm() {
    ScheduledExecutorService watch =
        Executors.newSingleThreadScheduledExecutor(Daemon.threads("timeouts"));
    opened(watch::shutdownNow);
    return (function, environment) -> LoadedFunction.load(function, environment, watch);
  }

  private void connect(SamTemplate.Function definition, LocalFunction function, SqsClient client) {
    for (EventSource source : definition.sources()) {
      if (source instanceof EventSource.Route route) {
        gateway.route(route, function);
      } else if (source instanceof EventSource.Queue queue) {
        opened(new QueuePoller(queue, function, client)).start();
      } else if (source instanceof EventSource.Rate rate) {
        opened(new RateRule(rate, function)).start();
      }
    }
  }
}
