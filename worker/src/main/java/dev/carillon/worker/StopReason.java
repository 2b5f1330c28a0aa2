package dev.carillon.worker;

/** Why a running attempt has to stop. */
public enum StopReason {
  /**
   * 0.8 of the claim's time has passed since the last heartbeat that extended it was sent. Either
   * later ones were not answered, or the run time-out ends the claim. The claim may end soon.
   */
  UNRENEWED(
      "the claim was not extended: no heartbeat was answered in time, or runTimeout has passed"),
  /** The server has answered that the claim is lost. Another attempt may run. */
  LOST("the claim was lost"),
  /** A caller cancelled the job. */
  CANCELLED("the job was cancelled"),
  /** The worker closes. */
  CLOSING("the worker was closed");

  private final String text;

  StopReason(String text) {
    this.text = text;
  }

  /** The reason in words. */
  String text() {
    return text;
  }

  /** Whether the claim must not be renewed any more. */
  boolean endsTheClaim() {
    return this == UNRENEWED || this == LOST;
  }
}
