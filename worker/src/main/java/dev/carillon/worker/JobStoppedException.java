package dev.carillon.worker;

/** Thrown by {@link ClaimedJob#checkStopped} if the attempt has to stop. */
public final class JobStoppedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final StopReason reason;

  JobStoppedException(StopReason reason) {
    super(reason.text());
    this.reason = reason;
  }

  public StopReason reason() {
    return reason;
  }
}
