package dev.carillon.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import java.util.List;
import java.util.stream.IntStream;

/** The events of the demo, and the launches that these events must cause. */
final class Script {

  /** The length of the demo, in the unit of {@link Step#at}. */
  static final int LENGTH = 60;

  static final String LAUNCHED_MANUALLY = "exporter";

  private static final int DAY = 20_700;

  private Script() {}

  /** The ways to send an event. */
  enum Way {
    SQS,
    HTTP
  }

  /**
   * One event to send.
   *
   * @param at when to send it: 0 is the beginning of the demo, and {@link #LENGTH} is its end
   */
  record Step(int at, Way way, String text, JsonNode event) {}

  /** A required launch that no time leaf triggers. */
  record Outcome(String schedule, String why) {}

  static List<Step> steps() {
    JsonNode first = partitions("purchases-1", "demo.purchases", 2);
    return List.of(
        new Step(5, Way.SQS, "2 partitions of demo.purchases", first),
        new Step(10, Way.HTTP, "the program etl SUCCEEDED", succeeded("run-7", "etl")),
        new Step(
            15,
            Way.HTTP,
            "2 more partitions of demo.purchases: 4 in total",
            partitions("purchases-2", "demo.purchases", 2)),
        new Step(
            20, Way.SQS, "2 partitions of demo.clicks", partitions("clicks", "demo.clicks", 2)),
        new Step(
            25,
            Way.HTTP,
            "2 partitions of demo.orders: both are complete now",
            partitions("orders", "demo.orders", 2)),
        new Step(
            30, Way.SQS, "an EventBridge envelope: Order Placed, by shop.orders", order("4711")),
        new Step(35, Way.SQS, "700 MB more in the stream log", size("log-1", "log", 700)),
        new Step(40, Way.HTTP, "500 MB more: over 1,000 MB now", size("log-2", "log", 500)),
        new Step(45, Way.SQS, "the first event again, same id: it counts once", first),
        new Step(
            50,
            Way.HTTP,
            "4 partitions of demo.purchases at once",
            partitions("purchases-3", "demo.purchases", 4)));
  }

  static List<Outcome> outcomes() {
    return List.of(
        new Outcome(LAUNCHED_MANUALLY, "manual launch"),
        new Outcome("after-etl", "programStatus 1/1"),
        new Outcome("purchases", "partition 4/4"),
        new Outcome("joined", "partition 2/2 + 2/2"),
        new Outcome("on-order", "event 1/1"),
        new Outcome("full-log", "size 1200/1000 MB"),
        new Outcome("purchases", "partition 4/4"));
  }

  /** The event in the form of CDAP's producers: the keys are JSON within a string. */
  private static JsonNode partitions(String id, String dataset, int count) {
    List<String> keys =
        IntStream.range(0, count).mapToObj(day -> "\"date=" + (DAY + day) + "\"").toList();
    ObjectNode payload =
        Json.object().put("datasetId", dataset).put("partitionKeys", keys.toString());
    return event(id, "PARTITION", payload);
  }

  private static JsonNode size(String id, String stream, int megabytes) {
    ObjectNode payload = Json.object().put("streamId", stream).put("bytes", megabytes * 1_000_000L);
    return event(id, "SIZE", payload);
  }

  private static JsonNode succeeded(String run, String program) {
    ObjectNode payload =
        Json.object().put("programId", program).put("status", "SUCCEEDED").put("runId", run);
    return event(run, "PROGRAM_STATUS", payload);
  }

  private static JsonNode event(String id, String type, ObjectNode payload) {
    return Json.object()
        .put("id", id)
        .put("namespace", DemoApi.NAMESPACE)
        .put("eventType", type)
        .set("payload", payload);
  }

  private static JsonNode order(String number) {
    ObjectNode envelope =
        Json.object()
            .put("version", "0")
            .put("id", "6a7e8feb-b491-4cf7-a9f1-bf3703467718")
            .put("detail-type", "Order Placed")
            .put("source", "shop.orders")
            .put("account", "123456789012")
            .put("time", "2026-03-01T10:00:00Z")
            .put("region", "eu-west-1");
    envelope.putArray("resources");
    envelope.putObject("detail").put("order", number);
    return envelope;
  }
}
