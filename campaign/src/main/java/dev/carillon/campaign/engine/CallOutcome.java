package dev.carillon.campaign.engine;

/** The outcome of one call of a store or queue. */
public enum CallOutcome {
  SUCCESS,
  FAIL_BEFORE,
  FAIL_AFTER,
  KILL_BEFORE,
  KILL_AFTER,
  REPLY_LOST,
  PARTIAL,
  CONFLICT
}
