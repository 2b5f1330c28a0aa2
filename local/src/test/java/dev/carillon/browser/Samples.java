package dev.carillon.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Documents, jobs and other things for views to show. */
final class Samples {

  static final String NIGHTLY =
      """
      {"description": "Exports what was sold yesterday", "app": "exports", "program": "exporter", "tags": {"team": "data"},
       "zone": "America/New_York",
       "trigger": {"type": "cron", "expression": "0 0 3 * * ?"},
       "constraints": [{"type": "concurrency", "max": 1}],
       "target": {"queue": "exports", "template": {"date": "${yesterdaysDate}", "by": "${payload.by}"}},
       "tracking": {"claimTimeout": "PT1H", "heartbeatTimeout": "PT1H"}, "retry": {"maxAttempts": 1}, "state": "ACTIVE"}
      """;

  static final String HOURLY =
      """
      {"description": "Counts what came in", "app": "counts", "zone": "UTC",
       "trigger": {"type": "cron", "expression": "0 0/20 * * * ?"},
       "target": {"queue": "counts", "template": {"hour": "${startOfHour}"}}, "state": "ACTIVE"}
      """;

  /** Launches only when a test does, so that the number of jobs does not depend on the clock. */
  static final String ON_DEMAND =
      """
      {"description": "Counts on demand", "zone": "UTC", "trigger": {"type": "manual"},
       "target": {"queue": "counts", "template": {"hour": "${startOfHour}"}}, "state": "ACTIVE"}
      """;

  static final String ON_DATA =
      """
      {"description": "Loads five partitions at a time", "program": "loader", "zone": "UTC",
       "trigger": {"type": "partition", "dataset": "sales.orders", "count": 5},
       "timeout": {"after": "PT6H", "action": "discard"},
       "target": {"queue": "loads", "template": {"why": "${trigger}"}}, "state": "ACTIVE"}
      """;

  static final String POOL =
      """
      {"description": "Jobs of the encoders", "queue": "encode", "depth": 20,
       "weights": {"acme": 3}, "maxInFlight": {"default": 5}}
      """;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 50;

  private Samples() {}

  /**
   * Three schedules, a calendar that excludes their next fires, a gauge, a pool, and partitions.
   */
  static void fill(String ns) {
    String root = "namespaces/" + ns;
    Stage.call(
        "PUT",
        root + "/calendars/holidays",
        "{\"description\": \"Days off\", \"weekly\": [{\"days\": " + daysOff() + "}]}");
    Stage.call("PUT", root + "/resources/disk", "{\"value\": 12.5, \"ttl\": \"PT1H\"}");
    Stage.call("PUT", root + "/pools/encode", POOL);
    Stage.put(
        ns, "nightly-export", NIGHTLY.replace("* * ?\"", "* * ?\", \"exclude\": [\"holidays\"]"));
    Stage.put(ns, "counts", HOURLY);
    Stage.put(ns, "load-orders", ON_DATA);
    Stage.put(
        ns, "backup", HOURLY.replace("counts", "backups").replace("\"ACTIVE\"", "\"SUSPENDED\""));
    Stage.call(
        "POST",
        root + "/events",
        "{\"events\": [{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\":"
            + " \"sales.orders\", \"partitionKeys\": [\"a\", \"b\"]}}]}");
  }

  /** All days of the week but one that comes soon, so that the next fires are excluded. */
  private static String daysOff() {
    DayOfWeek kept = LocalDate.now(ZoneOffset.UTC).getDayOfWeek().plus(4);
    return Arrays.stream(DayOfWeek.values())
        .filter(day -> day != kept)
        .map(day -> '"' + day.name().substring(0, 3) + '"')
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /** Launches a schedule; the id of its job. */
  static String launch(String ns, String schedule) {
    JsonNode launched =
        Stage.call(
            "POST",
            "namespaces/" + ns + "/schedules/" + schedule + "/launch",
            "{\"payload\": {\"by\": \"test\"}}");
    return launched.path("jobId").asText();
  }

  /** Waits until a job is in a state. */
  static void await(String ns, String job, String state) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    String now = state(ns, job);
    while (!now.equals(state)) {
      if (System.nanoTime() > end) {
        throw new AssertionError(job + " is " + now + ", not " + state);
      }
      Thread.sleep(PAUSE_MILLIS);
      now = state(ns, job);
    }
  }

  static String state(String ns, String job) {
    return Stage.get("namespaces/" + ns + "/jobs/" + job).path("state").asText();
  }

  /** Claims a job as its worker, as soon as its request was sent; the claim token. */
  static String claim(String ns, String job) throws InterruptedException {
    await(ns, job, "ENQUEUED");
    JsonNode claim =
        Stage.call(
            "POST", "namespaces/" + ns + "/jobs/" + job + "/claim", "{\"worker\": \"crane-7\"}");
    return claim.path("claimToken").asText();
  }

  static void report(String ns, String job, String report, String body) {
    Stage.call("POST", "namespaces/" + ns + "/jobs/" + job + "/" + report, body);
  }
}
