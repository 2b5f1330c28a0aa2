package dev.carillon.job;

/**
 * The states of a job. Pools will use READY.
 *
 * <pre>
 * PENDING_TRIGGER → PENDING_CONSTRAINT ⇄ PENDING_LAUNCH → LAUNCHED | FAILED
 *                                         ↑     └→ ENQUEUED → CLAIMED → RUNNING → SUCCEEDED | FAILED
 *                                         └── RETRY_WAIT ←─┴─────────┴─────────┘
 * ENQUEUED and CLAIMED can end as RUNNING does.
 * from each state that is not final: CANCELLED; from PENDING_TRIGGER and PENDING_CONSTRAINT: TIMED_OUT;
 * from PENDING_CONSTRAINT: SKIPPED
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
