package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.carillon.campaign.judge.CatchUp;
import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.BackfillRange;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Fifo;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.ScheduleSpec.Rate;
import dev.carillon.campaign.judge.ScheduleSpec.Whole;
import dev.carillon.campaign.judge.ScheduleSpec.ZonedCron;
import dev.carillon.campaign.judge.WaitPolicy;
import dev.carillon.campaign.scenario.Deployment;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.Report;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Documents, events and requests in the form in which users write them. */
public final class RequestBodies {

  /** The concurrency of a backfill. */
  static final int BACKFILL_CONCURRENCY = 2;

  private static final String SCHEDULE = "/v1/namespaces/{ns}/schedules/{name}";

  /** The program of all schedules with the common limit of a scenario. */
  static final String PROGRAM = Scenario.LIMITED;

  private RequestBodies() {}

  /**
   * @param gauged whether a gauge limits the schedule
   */
  static String document(ScheduleSpec spec, String label, boolean gauged) {
    return """
    {"trigger": %s, "state": "ACTIVE", "description": "%s",
     "afterCompletion": "%s", %s "whilePending": "%s", "timeout": %s,%s%s%s
     "target": {%s"template": {"v": %d, "at": "${scheduledFor}",
       "n": "${payload.n}", "limit": %d,%s "tracked": %b, "trigger": "${trigger}"}}}
    """
        .formatted(
            trigger(spec),
            label,
            spec.deletesItself() ? "delete" : "keep",
            constraints(spec, gauged),
            spec.waits().pending().name().toLowerCase(Locale.ROOT),
            timeout(spec.waits()),
            catchUp(spec.catchUp()),
            RunBodies.document(spec.tracking()),
            PoolBodies.place(spec.limits().pool()),
            queue(spec),
            spec.version(),
            spec.limit(),
            ends(spec.limits()),
            spec.tracking() != null);
  }

  /** The queue of the document's requests; empty if its jobs wait in a pool. */
  private static String queue(ScheduleSpec spec) {
    return spec.limits().pool() == null ? "\"queue\": \"work" + fifo(spec.fifo()) + ", " : "";
  }

  private static String fifo(@Nullable Fifo fifo) {
    if (fifo == null) {
      return "\"";
    }
    return fifo.group().isEmpty() ? ".fifo\"" : ".fifo\", \"groupId\": \"" + fifo.group() + "\"";
  }

  private static String constraints(ScheduleSpec spec, boolean gauged) {
    List<String> constraints = new ArrayList<>();
    if (spec.limit() > 0) {
      constraints.add("{\"type\": \"concurrency\", \"max\": %d}".formatted(spec.limit()));
    }
    if (spec.waits().delay() > 0) {
      constraints.add(
          "{\"type\": \"delay\", \"duration\": \"%s\"}"
              .formatted(Duration.ofMillis(spec.waits().delay())));
    }
    if (gauged) {
      constraints.add(
          "{\"type\": \"resource\", \"name\": \"%s\", \"atLeast\": %d}"
              .formatted(Scenario.RESOURCE, Scenario.OPEN));
    }
    constraints.addAll(LimitBodies.constraints(spec.limits()));
    return "%s \"constraints\": [%s],".formatted(program(spec), String.join(", ", constraints));
  }

  private static String program(ScheduleSpec spec) {
    String program = spec.limit() == 0 ? spec.limits().program() : PROGRAM;
    return program.isEmpty() ? "" : "\"program\": \"" + program + "\",";
  }

  private static String ends(Limits limits) {
    return limits.ends() == Limits.Ends.NONE
        ? ""
        : " \"%s\": \"%s\",".formatted(LimitBodies.ENDS, limits.ends());
  }

  private static String timeout(WaitPolicy waits) {
    return waits.timeout() == 0
        ? "null"
        : "{\"after\": \"%s\", \"action\": \"%s\"}"
            .formatted(Duration.ofMillis(waits.timeout()), waits.launches() ? "launch" : "discard");
  }

  private static String catchUp(CatchUp catchUp) {
    if (catchUp.isEverything()) {
      return "";
    }
    String window = catchUp.window() == 0 ? "null" : "\"" + catchUp.ofWindow() + "\"";
    return " \"catchUp\": {\"policy\": \"%s\", \"window\": %s},"
        .formatted(catchUp.policy().name().toLowerCase(Locale.ROOT), window);
  }

  static APIGatewayProxyRequestEvent onGauge(Report report) {
    String body =
        report.value() == null
            ? null
            : "{\"value\": %d%s}"
                .formatted(
                    report.value(),
                    report.ttl() == 0
                        ? ""
                        : ", \"ttl\": \"" + Duration.ofMillis(report.ttl()) + "\"");
    return request(
        body == null ? "DELETE" : "PUT",
        "/v1/namespaces/{ns}/resources/{name}",
        Map.of("ns", "default", "name", Scenario.RESOURCE),
        body);
  }

  /**
   * @param excludes null to delete the calendar
   */
  static APIGatewayProxyRequestEvent onCalendar(@Nullable List<TimeRange> excludes) {
    return request(
        excludes == null ? "DELETE" : "PUT",
        "/v1/namespaces/{ns}/calendars/{name}",
        Map.of("ns", "default", "name", Scenario.CALENDAR),
        excludes == null ? null : calendar(excludes));
  }

  static APIGatewayProxyRequestEvent onApp(Deployment deployment, boolean gauged) {
    String name = String.join("", deployment.documents().keySet());
    return switch (deployment.action()) {
      case DEPLOY, FAULTY, PRUNE -> onApp("PUT", deployment(deployment, gauged));
      case DELETE -> onApp("DELETE", null);
      case PROGRAM ->
          request(
              "DELETE",
              "/v1/namespaces/{ns}/programs/{program}",
              Map.of("ns", "default", "program", name),
              null);
      case SUSPEND ->
          onSchedule("POST", name, "/suspend", suspension(deployment.mode(), History.NEVER));
      case RESUME -> onSchedule("POST", name, "/resume", null);
    };
  }

  private static APIGatewayProxyRequestEvent onApp(String method, @Nullable String body) {
    return request(
        method,
        "/v1/namespaces/{ns}/apps/{app}",
        Map.of("ns", "default", "app", Deployment.APP),
        body);
  }

  /**
   * @param until {@link History#NEVER} for no end
   */
  static String suspension(@Nullable Mode mode, long until) {
    String text = "\"mode\": \"" + String.valueOf(mode).toLowerCase(Locale.ROOT) + "\"";
    return until == History.NEVER
        ? "{" + text + "}"
        : "{" + text + ", \"until\": \"" + Instant.ofEpochMilli(until) + "\"}";
  }

  /** The deployment; an invalid one has an empty document beside the valid ones. */
  private static String deployment(Deployment deployment, boolean gauged) {
    Set<String> programs = new TreeSet<>();
    List<String> schedules = new ArrayList<>();
    deployment
        .documents()
        .forEach(
            (name, spec) -> {
              programs.add(spec.limit() == 0 ? name : PROGRAM);
              schedules.add("\"%s\": %s".formatted(name, document(spec, "", gauged)));
            });
    if (deployment.action() == Action.FAULTY) {
      schedules.add("\"faulty\": {}");
    }
    return "{\"programs\": [%s], \"schedules\": {%s}, \"updateSchedules\": %s}"
        .formatted(
            programs.stream().map("\"%s\""::formatted).collect(Collectors.joining(", ")),
            String.join(", ", schedules),
            deployment.action() != Action.PRUNE);
  }

  /** A calendar whose exclusions alternate between date ranges and weekly windows. */
  public static String calendar(List<TimeRange> excludes) {
    List<String> ranges = new ArrayList<>();
    List<String> weekly = new ArrayList<>();
    for (int i = 0; i < excludes.size(); i++) {
      LocalDateTime from = local(excludes.get(i).from());
      LocalDateTime to = local(excludes.get(i).to());
      if (i % 2 == 0 || !from.toLocalDate().equals(to.toLocalDate())) {
        ranges.add("{\"from\": \"%s\", \"to\": \"%s\"}".formatted(from, to));
      } else {
        String day = from.getDayOfWeek().name().substring(0, 3);
        weekly.add(
            "{\"days\": [\"%s\"], \"from\": \"%s\", \"to\": \"%s\"}"
                .formatted(day, from.toLocalTime(), to.toLocalTime()));
      }
    }
    return "{\"ranges\": [%s], \"weekly\": [%s]}"
        .formatted(String.join(", ", ranges), String.join(", ", weekly));
  }

  private static LocalDateTime local(long instant) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(instant), ZoneOffset.UTC);
  }

  /** The event that reports the end of a run of the program with a limit. */
  static String end(String jobId) {
    return "{\"id\": \"end-%s\", \"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"%s\", \"status\": \"SUCCEEDED\", \"runId\": \"%s\"}}"
        .formatted(jobId, PROGRAM, jobId);
  }

  static String backfill(BackfillRange backfillRange) {
    return "{\"from\": \"%s\", \"to\": \"%s\", \"concurrency\": %d}"
        .formatted(
            Instant.ofEpochMilli(backfillRange.from()),
            Instant.ofEpochMilli(backfillRange.to()),
            BACKFILL_CONCURRENCY);
  }

  private static String trigger(ScheduleSpec spec) {
    String exclude =
        spec.excludes() ? ", \"exclude\": [\"%s\"]}".formatted(Scenario.CALENDAR) : "}";
    List<String> leaves = spec.leaves().stream().map(leaf -> leaf(leaf, exclude)).toList();
    return leaves.size() == 1
        ? leaves.get(0)
        : "{\"type\": \"%s\", \"triggers\": [%s]}"
            .formatted(spec.join() == Join.ALL ? "and" : "or", String.join(", ", leaves));
  }

  /**
   * @param end the end of the leaf's text, for a leaf that can exclude a calendar
   */
  private static String leaf(Leaf leaf, String end) {
    if (leaf instanceof Cron cron) {
      return "{\"type\": \"cron\", \"expression\": \"%s\"%s".formatted(cron.expression(), end);
    }
    if (leaf instanceof ZonedCron cron) {
      return TriggerBodies.zoned(cron) + end;
    }
    if (leaf instanceof Rate rate) {
      return "{\"type\": \"rate\", \"every\": \"PT%dS\", \"anchor\": \"%s\"%s"
          .formatted(rate.every() / 1_000, Instant.ofEpochMilli(rate.anchor()), end);
    }
    if (leaf instanceof At at) {
      return "{\"type\": \"at\", \"time\": \"%s\"}".formatted(Instant.ofEpochMilli(at.instant()));
    }
    if (leaf instanceof Whole whole) {
      return TriggerBodies.trigger(whole.condition());
    }
    Partitions partitions = (Partitions) leaf;
    return "{\"type\": \"partition\", \"dataset\": \"%s\", \"count\": %d}"
        .formatted(partitions.dataset(), partitions.count());
  }

  /**
   * @param id the id; null for an event without an id
   */
  static String event(@Nullable String id, ProducedEvent event) {
    String content =
        event.fact() == null
            ? "\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"%s\", \"numPartitions\": %d}"
                .formatted(event.dataset(), event.weight())
            : TriggerBodies.content(event.fact());
    return "{" + (id == null ? "" : "\"id\": \"" + id + "\", ") + content + "}";
  }

  static APIGatewayProxyRequestEvent onSchedule(
      String method, String name, String action, @Nullable String body) {
    return request(method, SCHEDULE + action, Map.of("ns", "default", "name", name), body);
  }

  static APIGatewayProxyRequestEvent resume(String namespace, String name) {
    return request("POST", SCHEDULE + "/resume", Map.of("ns", namespace, "name", name), null);
  }

  static APIGatewayProxyRequestEvent cancel(String name, String backfill) {
    return request(
        "DELETE",
        SCHEDULE + "/backfills/{id}",
        Map.of("ns", "default", "name", name, "id", backfill),
        null);
  }

  static APIGatewayProxyRequestEvent events(String event) {
    return request(
        "POST",
        "/v1/namespaces/{ns}/events",
        Map.of("ns", "default"),
        "{\"events\": [" + event + "]}");
  }

  static APIGatewayProxyRequestEvent request(
      String method, String resource, Map<String, String> path, @Nullable String body) {
    return new APIGatewayProxyRequestEvent()
        .withHttpMethod(method)
        .withResource(resource)
        .withPathParameters(path)
        .withHeaders(Map.of("Content-Type", "application/json"))
        .withBody(body);
  }
}
