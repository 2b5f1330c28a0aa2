package dev.carillon.metrics;

/** What the functions count and measure, as dashboards and alarms name it. */
public enum Metric {
  /** Fires of time triggers that were taken up, each once. */
  FIRES("Fires", Unit.COUNT),
  /** Requests that a target queue accepted, each job once. */
  LAUNCHES("Launches", Unit.COUNT),
  /** From scheduledFor to launchedAt. */
  LAUNCH_LATENCY("LaunchLatency", Unit.MILLISECONDS),
  /**
   * How late the oldest of what a tick found due was; nothing below a second, as each value costs.
   */
  OLDEST_DUE_AGE("OldestDueAge", Unit.SECONDS),
  /** How long ago the last complete tick was, at the end of each tick. */
  LAG("Lag", Unit.SECONDS),
  JOBS_SUCCEEDED("JobsSucceeded", Unit.COUNT),
  JOBS_FAILED("JobsFailed", Unit.COUNT),
  JOBS_SKIPPED("JobsSkipped", Unit.COUNT),
  JOBS_TIMED_OUT("JobsTimedOut", Unit.COUNT),
  JOBS_CANCELLED("JobsCancelled", Unit.COUNT),
  /** Events that at least one schedule counted. */
  EVENTS_COUNTED("EventsCounted", Unit.COUNT),
  /** Events that had been counted before. */
  EVENTS_DUPLICATE("EventsDuplicate", Unit.COUNT),
  /** Events that no active schedule waits for. */
  EVENTS_UNMATCHED("EventsUnmatched", Unit.COUNT),
  /** Messages that are no events. */
  EVENTS_REJECTED("EventsRejected", Unit.COUNT),
  /** Messages that ingest or the checker could not handle and that come again. */
  MESSAGES_FAILED("MessagesFailed", Unit.COUNT),
  /** For how long the ids of a schedule's events are remembered, of each whose events came. */
  DEDUP_WINDOW("DedupWindow", Unit.SECONDS),
  /** Conditional writes that another writer's change refused, each followed by another attempt. */
  LOST_RACES("LostRaces", Unit.COUNT),
  /** Updates that lost so many races in a row that they were given up. */
  UPDATES_GIVEN_UP("UpdatesGivenUp", Unit.COUNT);

  /** As CloudWatch names it. */
  enum Unit {
    COUNT("Count"),
    MILLISECONDS("Milliseconds"),
    SECONDS("Seconds");

    private final String text;

    Unit(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  private final String text;
  private final Unit unit;

  Metric(String text, Unit unit) {
    this.text = text;
    this.unit = unit;
  }

  String text() {
    return text;
  }

  Unit unit() {
    return unit;
  }
}
