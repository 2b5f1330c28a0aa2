package dev.carillon.job;

/**
 * The states of a job.
 *
 * <pre>
 * PENDING_TRIGGER → PENDING_CONSTRAINT ⇄ PENDING_LAUNCH → LAUNCHED | FAILED
 *                                         ↑     └→ ENQUEUED → CLAIMED → RUNNING → SUCCEEDED | FAILED
 *                                         └── RETRY_WAIT ←─┴─────────┴─────────┘
 * With a pool: PENDING_CONSTRAINT and RETRY_WAIT → READY ⇄ PENDING_LAUNCH, or a worker pulls: READY → CLAIMED.
 * ENQUEUED and CLAIMED can end in the same ways as RUNNING.
 * RETRY_WAIT → PENDING_CONSTRAINT: a gate blocks, or the schedule is suspended
 * PENDING_CONSTRAINT and RETRY_WAIT → FAILED: no pool matches
 * PENDING_CONSTRAINT and PENDING_LAUNCH → SUCCEEDED | FAILED | CANCELLED: an event reports the end of an untracked job
 * FAILED, TIMED_OUT and CANCELLED → RETRY_WAIT: a caller retries a tracked job
 * each state that is not final → CANCELLED
 * PENDING_TRIGGER, PENDING_CONSTRAINT and READY → TIMED_OUT
 * PENDING_TRIGGER and PENDING_CONSTRAINT → SKIPPED
 * The first state of the job of a fire is PENDING_LAUNCH, PENDING_CONSTRAINT, READY or a final one.
 * </pre>
 */
public enum JobState {
  PENDING_TRIGGER,
  PENDING_CONSTRAINT,
  PENDING_LAUNCH,
  /** Waits in a pool to be chosen. */
  READY,
  ENQUEUED,
  CLAIMED,
  RUNNING,
  RETRY_WAIT,
  /** Its request was accepted; nothing reports the end of its run. */
  LAUNCHED,
  SUCCEEDED,
  FAILED,
  SKIPPED,
  TIMED_OUT,
  CANCELLED;

  /** Whether the state is final. */
  public boolean isEnd() {
    return switch (this) {
      case LAUNCHED, SUCCEEDED, FAILED, SKIPPED, TIMED_OUT, CANCELLED -> true;
      default -> false;
    };
  }
}
