package dev.carillon.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.check.CheckJson;
import dev.carillon.contract.Servers;
import dev.carillon.document.Json;
import dev.carillon.lambda.ApiHandler;
import dev.carillon.lambda.Carillon;
import dev.carillon.lambda.CheckerHandler;
import dev.carillon.lambda.IngestHandler;
import dev.carillon.lambda.MasterHandler;
import dev.carillon.local.meter.Meter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context.ModifyRequest;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * The handlers on tables of DynamoDB Local and queues of ElasticMQ, with a virtual clock. Delayed
 * messages are received at once and kept until they are due.
 */
final class Deployment implements AutoCloseable {

  private static final Duration TICK = Duration.ofMinutes(1);
  private static final int MOST_CHECKS = 10;
  private static final int MOST_EVENTS = 1_000;
  private static final int REMAINING_MILLIS = 600_000;

  final Meter meter = new Meter();

  /** The requests that arrived, with the instants of their arrival. */
  final List<Arrival> arrivals = new ArrayList<>();

  private final String target;
  private final String targetUrl;
  private final String ingest;
  private final String check;
  private final String overdue;
  private final Carillon carillon;
  private final TreeMap<Instant, List<String>> delayed = new TreeMap<>();

  /** Queues that received a message since they were emptied; only these are polled. */
  private final Set<String> filled = ConcurrentHashMap.newKeySet();

  private Instant now;
  private Instant nextTick;
  private int messageIds;

  /** A launch as a worker receives it. */
  record Arrival(Instant at, JsonNode body) {
    String time() {
      return at.toString().substring(11, 19);
    }

    String schedule() {
      return body.path("schedule").textValue();
    }
  }

  Deployment(String beginning) {
    this(beginning, Servers.fresh("work"));
  }

  /** A deployment with a FIFO target queue. */
  static Deployment inOrder(String beginning) {
    return new Deployment(beginning, Servers.fresh("work") + ".fifo");
  }

  private Deployment(String beginning, String target) {
    this.target = target;
    this.targetUrl = Servers.queue(Servers.TARGET_PREFIX + target);
    this.now = Instant.parse(beginning);
    this.nextTick = now;
    Map<String, String> environment = Servers.environment(Servers.tables());
    environment.put("TIMER_SHARDS", "2");
    environment.put("ATTENTION_SHARDS", "2");
    this.ingest = environment.get("INGEST_QUEUE_URL");
    this.check = environment.get("CHECK_QUEUE_URL");
    this.overdue = environment.get("OVERDUE_QUEUE_URL");
    this.carillon =
        Carillon.of(
            environment,
            Servers.dynamoDb(List.of(meter)),
            Servers.sqs(List.of(new Undelayed())),
            () -> now);
  }

  /** Removes delays, because ElasticMQ delays by the wall clock. */
  private final class Undelayed implements ExecutionInterceptor {
    @Override
    public SdkRequest modifyRequest(ModifyRequest context, ExecutionAttributes attributes) {
      if (context.request() instanceof SendMessageRequest send) {
        filled.add(send.queueUrl());
      }
      if (context.request() instanceof SendMessageBatchRequest batch) {
        filled.add(batch.queueUrl());
        return batch.toBuilder()
            .entries(
                batch.entries().stream()
                    .map(entry -> entry.toBuilder().delaySeconds(0).build())
                    .toList())
            .build();
      }
      return context.request();
    }
  }

  private List<String> take(String queueUrl) {
    return filled.remove(queueUrl) ? Servers.take(queueUrl) : List.of();
  }

  // ---- users and producers

  /** Stores an ACTIVE schedule of this trigger. */
  void put(String name, String trigger) {
    put(name, trigger, "");
  }

  /**
   * @param more additional members, each with a leading comma
   */
  void put(String name, String trigger, String more) {
    String document =
        """
        {"trigger": %s, "state": "ACTIVE"%s, "target": {"queue": "%s", "template":
          {"schedule": "${schedule}", "scheduledFor": "${scheduledFor}", "why": "${trigger}"}}}
        """
            .formatted(trigger, more, target);
    assertThat(call("PUT", name, "", document).path("state").textValue()).isEqualTo("ACTIVE");
  }

  JsonNode get(String name, String what) {
    return call("GET", name, what, null);
  }

  JsonNode post(String name, String what) {
    return call("POST", name, what, "{}");
  }

  private JsonNode call(String method, String name, String what, String body) {
    APIGatewayProxyResponseEvent response =
        new ApiHandler(carillon)
            .handleRequest(
                new APIGatewayProxyRequestEvent()
                    .withHttpMethod(method)
                    .withResource("/v1/namespaces/{ns}/schedules/{name}" + what)
                    .withPathParameters(Map.of("ns", "default", "name", name))
                    .withBody(body),
                context());
    assertThat(response.getStatusCode()).as(response.getBody()).isBetween(200, 299);
    return Json.readObject(response.getBody());
  }

  /** An event as its producer sends it. */
  void event(String body) {
    Servers.sqs().sendMessage(it -> it.queueUrl(ingest).messageBody(body));
    filled.add(ingest);
  }

  void partitions(String dataset, int count) {
    event(
        "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"%s\", \"numPartitions\": %d}}"
            .formatted(dataset, count));
  }

  void bytes(String stream, long bytes) {
    event(
        "{\"eventType\": \"SIZE\", \"payload\": {\"streamId\": \"%s\", \"bytes\": %d}}"
            .formatted(stream, bytes));
  }

  void status(String program, String status) {
    event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"%s\", \"status\": \"%s\"}}"
            .formatted(program, status));
  }

  // ---- the platform

  /** Moves the clock without running any function. */
  void sleepUntil(String end) {
    now = Instant.parse(end);
    nextTick = now;
  }

  void runUntil(String end) {
    Instant last = Instant.parse(end);
    settle();
    Instant next = nextStep();
    while (!next.isAfter(last)) {
      now = next.isAfter(now) ? next : now;
      settle();
      next = nextStep();
    }
    now = last;
  }

  private Instant nextStep() {
    return delayed.isEmpty() || nextTick.isBefore(delayed.firstKey())
        ? nextTick
        : delayed.firstKey();
  }

  private void settle() {
    boolean busy = true;
    while (busy) {
      busy = tick() | ingest() | receiveChecks() | check();
      take(targetUrl).forEach(body -> arrivals.add(new Arrival(now, Json.readObject(body))));
    }
  }

  private boolean tick() {
    if (now.isBefore(nextTick)) {
      return false;
    }
    nextTick = now.plus(TICK);
    new MasterHandler(carillon).handleRequest(new ScheduledEvent(), context());
    return true;
  }

  private boolean ingest() {
    List<String> bodies = take(ingest);
    for (int start = 0; start < bodies.size(); start += MOST_EVENTS) {
      List<String> batch = bodies.subList(start, Math.min(start + MOST_EVENTS, bodies.size()));
      assertAccepted(new IngestHandler(carillon).handleRequest(messages(batch), context()));
    }
    return !bodies.isEmpty();
  }

  private boolean receiveChecks() {
    List<String> bodies = new ArrayList<>(take(check));
    bodies.addAll(take(overdue));
    for (String body : bodies) {
      Instant due = CheckJson.read(body).known().due();
      delayed.computeIfAbsent(due.isBefore(now) ? now : due, any -> new ArrayList<>()).add(body);
    }
    return !bodies.isEmpty();
  }

  private boolean check() {
    if (delayed.isEmpty() || delayed.firstKey().isAfter(now)) {
      return false;
    }
    List<String> due = delayed.pollFirstEntry().getValue();
    for (int start = 0; start < due.size(); start += MOST_CHECKS) {
      List<String> batch = due.subList(start, Math.min(start + MOST_CHECKS, due.size()));
      assertAccepted(new CheckerHandler(carillon).handleRequest(messages(batch), context()));
    }
    return true;
  }

  private SQSEvent messages(List<String> bodies) {
    SQSEvent event = new SQSEvent();
    List<SQSMessage> records = new ArrayList<>();
    for (String body : bodies) {
      SQSMessage message = new SQSMessage();
      message.setMessageId("message-" + ++messageIds);
      message.setBody(body);
      message.setAttributes(Map.of("ApproximateReceiveCount", "1"));
      records.add(message);
    }
    event.setRecords(records);
    return event;
  }

  private static void assertAccepted(SQSBatchResponse response) {
    assertThat(response.getBatchItemFailures()).isEmpty();
  }

  private static Context context() {
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) ->
                method.getName().equals("getRemainingTimeInMillis") ? REMAINING_MILLIS : null);
  }

  @Override
  public void close() {
    carillon.close();
  }
}
