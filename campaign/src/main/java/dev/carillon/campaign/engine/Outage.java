package dev.carillon.campaign.engine;

/**
 * A time in which the master does not tick.
 *
 * @param ofChecker whether the checker does not run either; users and events are served all the
 *     same
 */
public record Outage(long from, long to, boolean ofChecker) {
  boolean contains(long instant) {
    return instant >= from && instant < to;
  }
}
