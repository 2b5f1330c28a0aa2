package dev.carillon.campaign.engine;

/** Thrown for a call of a store or queue that failed; whether it took effect is unknown. */
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
