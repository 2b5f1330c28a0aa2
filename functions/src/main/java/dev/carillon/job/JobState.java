package dev.carillon.job;

/**
 * The states of a job.
 *
 * <pre>
 * PENDING_TRIGGER → PENDING_CONSTRAINT → PENDING_LAUNCH → (READY →) ENQUEUED → CLAIMED → RUNNING → SUCCEEDED | FAILED
 *                                             ↑                        │          │        │
 *                                             └────── RETRY_WAIT ←─────┴──────────┴────────┘   also: SKIPPED, TIMED_OUT, CANCELLED
 * </pre>
 */
public enum JobState {
  PENDING_TRIGGER,
  PENDING_CONSTRAINT,
  PENDING_LAUNCH,
  READY,
  ENQUEUED,
  CLAIMED,
  RUNNING,
  RETRY_WAIT,
  SUCCEEDED,
  FAILED,
  SKIPPED,
  TIMED_OUT,
  CANCELLED;

  /** Whether a job in this state is over. */
  public boolean isEnd() {
    return switch (this) {
      case SUCCEEDED, FAILED, SKIPPED, TIMED_OUT, CANCELLED -> true;
      default -> false;
    };
  }
}
