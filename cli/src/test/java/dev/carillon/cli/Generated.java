package dev.carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.exports.Entry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Entries of all kinds and with all members, the same for the same seed. None fires in a test. */
final class Generated {

  private static final List<String> TRIGGERS =
      List.of(
          "{'type': 'cron', 'expression': '0 0 3 1 1 ? 2090'}",
          "{'type': 'cron', 'expression': '0 0 3 1 1 ?', 'exclude': ['calendar-1']}",
          "{'type': 'cron', 'dialect': 'unix', 'expression': '0 3 1 2 *', 'zone': 'Asia/Tokyo'}",
          "{'type': 'cron', 'dialect': 'aws', 'expression': '0 3 1 3 ? *', 'flexible': 'PT4H',"
              + " 'dst': {'gap': 'skip', 'overlap': 'both'}}",
          "{'type': 'rate', 'every': 'P3000D', 'anchor': '2020-01-01T00:00:00Z'}",
          "{'type': 'rate', 'every': 'P3000D', 'exclude': ['calendar-1', 'calendar-2']}",
          "{'type': 'at', 'time': '2090-01-01T00:00:00', 'zone': 'America/New_York'}",
          "{'type': 'at', 'time': '2090-01-01T00:00:00Z'}",
          "{'type': 'partition', 'dataset': 'ns.purchases', 'count': 3}",
          "{'type': 'size', 'stream': 'clicks', 'bytes': 100000000000}",
          "{'type': 'programStatus', 'program': 'etl', 'statuses': ['FAILED', 'SUCCEEDED']}",
          "{'type': 'event', 'key': 'aws.s3:Object Created', 'count': 2,"
              + " 'filter': {'detail': {'size': [{'numeric': ['>', 0.50]}]}}}",
          "{'type': 'manual'}",
          "{'type': 'or', 'triggers': [{'type': 'elapsed', 'since': 'lastLaunch',"
              + " 'duration': 'P300D'}, {'type': 'size', 'stream': 's', 'bytes': 7}]}",
          "{'type': 'and', 'triggers': [{'type': 'quiet', 'of': {'type': 'partition',"
              + " 'dataset': 'd', 'count': 1}, 'period': 'PT10M', 'atMost': 'PT2H'},"
              + " {'type': 'or', 'triggers': [{'type': 'manual'}, {'type': 'event', 'key': 'k'}]}]}");

  private static final List<String> CONSTRAINTS =
      List.of(
          "{'type': 'concurrency', 'max': 3, 'onUnmet': 'skip'}",
          "{'type': 'concurrency', 'max': 1000, 'group': 'warehouse'}",
          "{'type': 'rate', 'max': 5, 'per': 'PT1H'}",
          "{'type': 'delay', 'duration': 'PT10M'}",
          "{'type': 'timeWindow', 'from': '22:00', 'to': '06:00', 'days': ['MON', 'SUN'],"
              + " 'zone': 'Europe/Berlin'}",
          "{'type': 'sinceLastRun', 'duration': 'PT1H', 'onUnmet': 'skip'}",
          "{'type': 'resource', 'name': 'gauge-1', 'atMost': 3.50, 'ifUnknown': 'allow'}");

  private static final List<String> SUSPENSIONS =
      List.of(
          "{'mode': 'discard', 'reason': null, 'until': null}",
          "{'mode': 'drain', 'reason': 'repair of \\\"x\\\" – für heute', 'until': null}",
          "{'mode': 'hold', 'reason': null, 'until': '2090-01-01T00:00:00.000Z'}",
          "{'mode': 'backlog', 'reason': 'why', 'until': '2091-01-01T00:00:00.000Z'}");

  private final Random random;
  private final String namespace;

  private Generated(long seed, String namespace) {
    this.random = new Random(seed);
    this.namespace = namespace;
  }

  /** Schedules, with the calendars, resources, pools and apps that they need. */
  static List<Entry> of(long seed, String namespace, int schedules) {
    Generated generated = new Generated(seed, namespace);
    List<Entry> entries = new ArrayList<>();
    for (int number = 1; number <= 10; number++) {
      entries.add(generated.calendar(number));
      entries.add(generated.resource(number));
      entries.add(generated.pool(number));
      entries.add(generated.app(number));
    }
    for (int number = 0; number < schedules; number++) {
      entries.add(generated.schedule(number));
    }
    return entries;
  }

  private Entry calendar(int number) {
    ObjectNode document =
        json(
            """
            {'description': 'Holidays %d', 'zone': 'America/New_York', 'dates': ['2026-12-%d'],
             'ranges': [{'from': '2026-11-26T12:00:00', 'to': '2026-11-27'}],
             'weekly': [{'days': ['SAT', 'SUN'], 'from': '22:00', 'to': '24:00'}]}
            """
                .formatted(number, 9 + number));
    return Entry.calendar(namespace, "calendar-" + number, document);
  }

  private Entry resource(int number) {
    ObjectNode document = json("{'value': %d.%d0, 'expiresAt': null}".formatted(number, number));
    return new Entry(Entry.Kind.RESOURCE, namespace, "gauge-" + number, document, null);
  }

  private Entry pool(int number) {
    ObjectNode document =
        json(
            """
            {'description': 'Pool %d', 'queue': 'queue-%d', 'depth': %d, 'order': 'fair',
             'weights': {'acme': 2.5}, 'maxInFlight': {'default': %d},
             'match': {'kind': ['a', {'prefix': 'b'}]}, 'paused': true, 'reason': 'über Nacht'}
            """
                .formatted(number, number, 10 + number, number));
    return Entry.pool(namespace, "pool-" + number, document);
  }

  private Entry app(int number) {
    ObjectNode document =
        json("{'programs': ['program-0', 'program-1', 'program-2', 'own-%d']}".formatted(number));
    return new Entry(Entry.Kind.APP, namespace, "app-" + number, document, null);
  }

  private Entry schedule(int number) {
    ObjectNode document =
        json("{'description': 'Number %d: \\u00e4 \\u4e16 <&>'}".formatted(number));
    document.put("program", "program-" + random.nextInt(3));
    if (random.nextBoolean()) {
      document.put("app", "app-" + (1 + random.nextInt(10)));
    }
    document.putObject("tags").put("team", "t" + random.nextInt(5)).put("n", "" + number);
    document.put("zone", random.nextBoolean() ? "Europe/Berlin" : "UTC");
    document.set("trigger", json(any(TRIGGERS)));
    var constraints = document.putArray("constraints");
    for (int count = random.nextInt(3); count > 0; count--) {
      constraints.add(json(any(CONSTRAINTS)));
    }
    target(document);
    policies(document);
    boolean suspended = random.nextInt(3) == 0;
    document.put("state", suspended ? "SUSPENDED" : "ACTIVE");
    return new Entry(
        Entry.Kind.SCHEDULE,
        namespace,
        "schedule.%d_%s".formatted(number, Integer.toString(random.nextInt(1_000_000), 36)),
        document,
        suspended ? json(any(SUSPENSIONS)) : null);
  }

  private void target(ObjectNode document) {
    ObjectNode target = document.putObject("target").put("queue", "queue-" + random.nextInt(3));
    if (random.nextBoolean()) {
      target.put("template", "text ${processTime}, $${literal}, \"quoted\"\n" + random.nextInt());
    } else {
      ObjectNode template = target.putObject("template").put("day", "${todaysDate}");
      template.put("number", random.nextLong()).put("exact", new BigDecimal("1.50"));
      template.putArray("list").add("${properties.region}").addNull().add(true);
    }
    if (random.nextBoolean()) {
      target.putObject("attributes").put("kind", "${schedule}");
      target.put("groupId", "${customer}");
    }
    document.putObject("properties").put("region", "eu").put("big", 12345678901234567L);
  }

  private void policies(ObjectNode document) {
    if (random.nextBoolean()) {
      document.put("customer", random.nextBoolean() ? "acme" : "${properties.region}");
      document.put("priority", random.nextInt(10));
    }
    if (random.nextBoolean()) {
      document.set("tracking", json("{'runTimeout': 'PT%dH'}".formatted(1 + random.nextInt(9))));
      document.set("retry", json("{'maxAttempts': 2, 'backoff': 'PT1S', 'rate': 1.5}"));
      if (random.nextBoolean()) {
        document
            .putArray("operations")
            .add(json("{'id': 'load', 'type': 'copy', 'after': []}"))
            .add(json("{'id': 'sum', 'after': ['load']}"));
      }
    }
    if (random.nextBoolean()) {
      document.set("timeout", json("{'after': 'P2D', 'action': 'launch'}"));
      document.put("whilePending", any(List.of("queue", "merge", "skip")));
    }
    boolean plain = List.of("cron", "rate", "at").contains(document.at("/trigger/type").asText());
    if (plain && random.nextBoolean()) {
      document.set("catchUp", json("{'policy': 'latest', 'window': 'PT1H'}"));
      document.put("afterCompletion", "delete");
    }
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private static ObjectNode json(String text) {
    return (ObjectNode) Json.read(text.replace('\'', '"'), JsonNode.class);
  }
}
