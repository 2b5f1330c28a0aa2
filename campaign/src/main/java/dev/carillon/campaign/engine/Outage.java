package dev.carillon.campaign.engine;

/**
 * A time in which the master does not run.
 *
 * @param ofChecker whether the checker does not run either; the api and ingest always run
 */
public record Outage(long from, long to, boolean ofChecker) {
  boolean contains(long instant) {
    return instant >= from && instant < to;
  }
}
