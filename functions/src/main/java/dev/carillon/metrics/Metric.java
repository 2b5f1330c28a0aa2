package dev.carillon.metrics;

/** The metrics of the functions, by the names that dashboards and alarms use. */
public enum Metric {
  /** Fires of time triggers that became jobs or joined one, each counted once. */
  FIRES("Fires", Unit.COUNT),
  /** Launch requests that a target queue accepted, each job counted once. */
  LAUNCHES("Launches", Unit.COUNT),
  /** The time from scheduledFor to launchedAt. */
  LAUNCH_LATENCY("LaunchLatency", Unit.MILLISECONDS),
  /**
   * How late the oldest due timer of a tick was; ages below a second are left out, because each
   * value costs.
   */
  OLDEST_DUE_AGE("OldestDueAge", Unit.SECONDS),
  /** The time since the last complete tick, measured at the end of each tick. */
  LAG("Lag", Unit.SECONDS),
  JOBS_SUCCEEDED("JobsSucceeded", Unit.COUNT),
  JOBS_FAILED("JobsFailed", Unit.COUNT),
  RETRIES("Retries", Unit.COUNT),
  /** Attempts of tracked jobs that a worker claimed. */
  ATTEMPTS_CLAIMED("AttemptsClaimed", Unit.COUNT),
  /** Claimed attempts whose worker sent a first report. */
  ATTEMPTS_STARTED("AttemptsStarted", Unit.COUNT),
  /** Attempts whose worker reported success. */
  ATTEMPTS_SUCCEEDED("AttemptsSucceeded", Unit.COUNT),
  /** Attempts whose worker reported a failure. */
  ATTEMPTS_FAILED("AttemptsFailed", Unit.COUNT),
  /** Attempts that were not claimed, started, renewed or ended in time. */
  ATTEMPTS_OVERDUE("AttemptsOverdue", Unit.COUNT),
  /** Overdue attempts whose heartbeats stopped. */
  HEARTBEATS_MISSED("HeartbeatsMissed", Unit.COUNT),
  JOBS_SKIPPED("JobsSkipped", Unit.COUNT),
  JOBS_TIMED_OUT("JobsTimedOut", Unit.COUNT),
  JOBS_CANCELLED("JobsCancelled", Unit.COUNT),
  /** Events that at least one schedule counted. */
  EVENTS_COUNTED("EventsCounted", Unit.COUNT),
  /** Events that had been counted before. */
  EVENTS_DUPLICATE("EventsDuplicate", Unit.COUNT),
  /** Events that no active schedule waits for. */
  EVENTS_UNMATCHED("EventsUnmatched", Unit.COUNT),
  /** Messages that are not valid events. */
  EVENTS_REJECTED("EventsRejected", Unit.COUNT),
  /** Messages of the report queue that are no reports, or that can have no effect on their job. */
  REPORTS_REJECTED("ReportsRejected", Unit.COUNT),
  /** Reports of the report queue whose claim was lost. They are dropped. */
  REPORTS_STALE("ReportsStale", Unit.COUNT),
  /**
   * Messages that a function (ingest, checker or report) failed to process and will receive again.
   */
  MESSAGES_FAILED("MessagesFailed", Unit.COUNT),
  /**
   * For how long the ids of a schedule's events are remembered; there is one value for each
   * schedule with events.
   */
  DEDUP_WINDOW("DedupWindow", Unit.SECONDS),
  /** Jobs that a pool chose for its queue. */
  POOL_MOVED("PoolMoved", Unit.COUNT),
  /** Jobs that a pool chose for workers that pull. */
  POOL_PULLED("PoolPulled", Unit.COUNT),
  /**
   * How long a job has waited READY. After each choice, this is the age of the oldest chosen job.
   * Once a minute, it is the age of the oldest job that waits.
   */
  POOL_OLDEST_AGE("PoolOldestAge", Unit.SECONDS),
  /**
   * How many jobs wait READY, measured once a minute while some jobs wait. Jobs beyond the bound of
   * the count are not included.
   */
  POOL_WAITING("PoolWaiting", Unit.SIZE),
  /** How many jobs wait in the queue of a pool for a worker, after each stored choice. */
  POOL_VISIBLE("PoolVisible", Unit.SIZE),
  /** How many jobs the queue of a pool is to hold for workers. */
  POOL_DEPTH("PoolDepth", Unit.SIZE),
  /**
   * Conditional writes that failed because another write came first, each followed by another try.
   */
  LOST_RACES("LostRaces", Unit.COUNT),
  /** Updates that were given up after too many lost races in a row. */
  UPDATES_GIVEN_UP("UpdatesGivenUp", Unit.COUNT);

  /** The unit by CloudWatch's name. */
  enum Unit {
    COUNT("Count"),
    MILLISECONDS("Milliseconds"),
    SECONDS("Seconds"),
    /** A number at an instant. A sum of such numbers has no meaning. */
    SIZE("Count");

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
