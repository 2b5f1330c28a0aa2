package dev.carillon.campaign.system;

import dev.carillon.campaign.judge.LimitFacts.ReportedEnd;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.GateLimit;
import dev.carillon.campaign.judge.Limits.InPool;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.Pause;
import dev.carillon.campaign.judge.Limits.RateLimit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.Limits.Window;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Collectors;

/** Limits and reports of ends in the form in which users write them. */
final class LimitBodies {

  /** The field of a request's body that determines how the end of its run is reported. */
  static final String ENDS = "ends";

  private static final int DAY = 86_400;

  private LimitBodies() {}

  static List<String> constraints(Limits limits) {
    return limits.all().stream()
        .filter(limit -> !(limit instanceof InPool))
        .map(LimitBodies::constraint)
        .toList();
  }

  private static String constraint(Limit limit) {
    String end = limit.skips() ? ", \"onUnmet\": \"skip\"}" : "}";
    String group =
        limit instanceof GateLimit atGate && !atGate.group().isEmpty()
            ? ", \"group\": \"" + atGate.group() + "\""
            : "";
    if (limit instanceof RateLimit rate) {
      return "{\"type\": \"rate\", \"max\": %d, \"per\": \"%s\"%s%s"
          .formatted(rate.max(), Duration.ofMillis(rate.per()), group, end);
    }
    if (limit instanceof RunLimit runs) {
      return "{\"type\": \"concurrency\", \"max\": %d%s%s".formatted(runs.max(), group, end);
    }
    if (limit instanceof Pause pause) {
      return "{\"type\": \"sinceLastRun\", \"duration\": \"%s\"%s"
          .formatted(Duration.ofMillis(pause.duration()), end);
    }
    Window window = (Window) limit;
    String days =
        window.days().stream()
            .map(day -> "\"" + day.name().substring(0, 3) + "\"")
            .collect(Collectors.joining(", "));
    return "{\"type\": \"timeWindow\", \"from\": \"%s\", \"to\": \"%s\", \"zone\": \"%s\", \"days\": [%s]%s"
        .formatted(time(window.from()), time(window.to()), window.zone(), days, end);
  }

  private static String time(int second) {
    return second == DAY ? "24:00" : LocalTime.ofSecondOfDay(second).toString();
  }

  /** The event that reports the end of a run. */
  static String end(ReportedEnd end) {
    String run = end.names() ? ", \"runId\": \"" + end.jobId() + "\"" : "";
    return "{\"id\": \"%s\", \"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"%s\", \"status\": \"%s\"%s}}"
        .formatted(end.id(), end.program(), end.status(), run);
  }
}
