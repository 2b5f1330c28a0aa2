package dev.carillon.campaign.engine;

/** A store or queue that did not answer as it should; whether it did what was asked is unknown. */
public final class Unavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean throttled;

  public Unavailable(String call, boolean throttled) {
    super(call + (throttled ? " was throttled" : " has timed out"), null, false, false);
    this.throttled = throttled;
  }

  public boolean isThrottled() {
    return throttled;
  }
}
