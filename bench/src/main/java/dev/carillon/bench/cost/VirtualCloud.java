package dev.carillon.bench.cost;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Api;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.ReadyJobs;
import dev.carillon.check.CheckJson;
import dev.carillon.checker.Checker;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest;
import dev.carillon.lambda.Carillon;
import dev.carillon.lambda.Config;
import dev.carillon.local.BareStack;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import dev.carillon.local.meter.Meter;
import dev.carillon.master.Master;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The functions on DynamoDB Local and in-memory queues, with the clock of the caller. Counts all
 * requests that AWS would bill.
 */
public final class VirtualCloud implements AutoCloseable {

  /** How many check messages one invocation receives. */
  private static final int CHECK_BATCH = 10;

  /** How long the jobs that are stored directly have been waiting. */
  private static final Duration READY_SINCE = Duration.ofMinutes(1);

  private static final Duration MASTER_TIME = Duration.ofSeconds(47);
  private static final Duration FUNCTION_TIME = Duration.ofSeconds(7);

  private final InstantSource clock;
  private final BareStack stack;
  private final Config config;
  private final Meter meter = new Meter();
  private final VirtualSqs sqs;
  private Carillon carillon;
  private Master master;
  private Checker checker;
  private Ingest ingest;
  private Api api;
  private final AtomicInteger invocations = new AtomicInteger();
  private final AtomicInteger messages = new AtomicInteger();

  public VirtualCloud(InstantSource clock) {
    this.clock = clock;
    this.stack = BareStack.of(LocalEngine.TEMPLATE);
    this.config = Config.of(stack.environment());
    this.sqs = new VirtualSqs(clock);
    this.carillon = fresh();
    this.master = carillon.master();
    this.checker = carillon.checker();
    this.ingest = carillon.ingest();
    this.api = carillon.api();
  }

  private Carillon fresh() {
    DynamoDbClient client = LocalAccount.dynamoDb(stack.dynamoDb(), meter);
    return Carillon.of(stack.environment(), client, sqs, clock);
  }

  /** Replaces the functions by new instances without cached data. */
  public void coldStart() {
    carillon.close();
    carillon = fresh();
    master = carillon.master();
    checker = carillon.checker();
    ingest = carillon.ingest();
    api = carillon.api();
  }

  public void store(int count, String prefix, IntFunction<String> document, Progress progress) {
    try (DynamoDbClient client = LocalAccount.dynamoDb(stack.dynamoDb())) {
      new Loader(stack.environment(), client, progress)
          .store(count, prefix, document, clock.instant());
    }
  }

  /** Stores jobs of a new schedule that wait in a pool; see {@link ReadyJobs#store}. */
  public void storeReady(PoolId pool, int jobs, int customers, int whole, Progress progress) {
    String schedule = "waiting";
    String trigger = "{\"type\": \"manual\"}";
    store(1, schedule, any -> Loader.pooled(trigger, schedule, pool.name()), progress);
    try (DynamoDbClient client = LocalAccount.dynamoDb(stack.dynamoDb())) {
      Instant since = clock.instant().minus(READY_SINCE);
      new ReadyJobs(stack.environment(), client, progress)
          .store(pool, new ScheduleId("default", schedule + "-0"), jobs, customers, whole, since);
    }
  }

  /** Stores a pool, and plans its choice. */
  public void putPool(PoolId pool, String queue, int depth) {
    ObjectNode document = Json.object().put("queue", queue).put("depth", depth);
    request("PUT", "/pools/{pool}", Map.of("ns", pool.namespace(), "pool", pool.name()), document);
  }

  /**
   * A worker receives up to {@code most} launch requests, and claims and ends their jobs. The SQS
   * requests of workers are never counted.
   *
   * @param queue the queue; its messages contain the id of the job
   * @return how many jobs succeeded
   */
  public int work(String queue, int most) {
    List<VirtualSqs.Stored> received = sqs.receive(VirtualSqs.url(queue), most);
    for (VirtualSqs.Stored message : received) {
      JobId job = JobId.parse(Json.readObject(message.body()).path("job").asText());
      Map<String, String> path = Map.of("ns", job.schedule().namespace(), "id", job.toString());
      ObjectNode claim = Json.object().put("worker", "bench").put("attempt", 1);
      String claimed = request("POST", "/jobs/{id}/claim", path, claim);
      ObjectNode end = Json.object();
      end.set("claimToken", Json.readObject(claimed).path("claimToken"));
      request("POST", "/jobs/{id}/succeed", path, end);
    }
    return received.size();
  }

  /** A request to the HTTP API: one invocation. */
  private String request(
      String method, String resource, Map<String, String> parameters, ObjectNode body) {
    invocations.incrementAndGet();
    String inNamespace = "/v1/namespaces/{ns}" + resource;
    APIGatewayProxyResponseEvent answer =
        api.handle(
            new APIGatewayProxyRequestEvent()
                .withHttpMethod(method)
                .withPath(inNamespace)
                .withResource(inNamespace)
                .withHeaders(Map.of("Content-Type", "application/json"))
                .withPathParameters(parameters)
                .withBody(Json.write(body)));
    if (answer.getStatusCode() / 100 != 2) {
      throw new IllegalStateException(resource + " answered " + answer.getBody());
    }
    return answer.getBody();
  }

  public void tick() {
    invocations.incrementAndGet();
    master.tick(deadline(MASTER_TIME));
  }

  /** Handles all visible check messages. */
  public void check() {
    check(config.queues().check());
    check(config.queues().overdue());
  }

  private void check(String url) {
    List<VirtualSqs.Stored> batch = sqs.take(url, CHECK_BATCH);
    while (!batch.isEmpty()) {
      invocations.incrementAndGet();
      var failed =
          checker.handle(
              batch.stream()
                  .map(m -> new Checker.Received("" + m.id(), CheckJson.read(m.body()).known(), 1))
                  .toList(),
              deadline(FUNCTION_TIME));
      if (!failed.isEmpty()) {
        throw new IllegalStateException(failed.size() + " checks failed");
      }
      batch = sqs.take(url, CHECK_BATCH);
    }
  }

  /**
   * Makes ingest handle the events in one invocation. Counts the SQS requests for this: for every
   * ten events, one request each to send, to receive and to delete them.
   *
   * @return the events that SQS would deliver again
   */
  public List<String> ingest(List<String> bodies) {
    invocations.incrementAndGet();
    for (int from = 0; from < bodies.size(); from += VirtualSqs.MOST_RECEIVED) {
      int to = Math.min(from + VirtualSqs.MOST_RECEIVED, bodies.size());
      List<String> request = bodies.subList(from, to);
      sqs.countSend(request);
      sqs.countSend(request);
      sqs.countSend(List.of());
    }
    List<Ingest.Received> received =
        bodies.stream()
            .map(body -> new Ingest.Received("m" + messages.incrementAndGet(), body))
            .toList();
    Set<String> failed = ingest.handle(received, deadline(FUNCTION_TIME));
    return received.stream()
        .filter(message -> failed.contains(message.messageId()))
        .map(Ingest.Received::body)
        .toList();
  }

  /** Removes and returns the messages that ingest has sent to its own queue. */
  public List<String> resentEvents(int most) {
    return sqs.take(config.queues().ingest(), most).stream().map(VirtualSqs.Stored::body).toList();
  }

  private Deadline deadline(Duration time) {
    Instant end = clock.instant().plus(time);
    return new Deadline(end, clock);
  }

  public Meter meter() {
    return meter;
  }

  public int sqsRequests() {
    return sqs.requests();
  }

  public int sentTo(String queue) {
    return sqs.sentTo(VirtualSqs.url(queue));
  }

  public int invocations() {
    return invocations.get();
  }

  /** Resets all counts. */
  public void reset() {
    meter.reset();
    sqs.reset();
    invocations.set(0);
  }

  @Override
  public void close() {
    carillon.close();
    stack.close();
  }
}
