package dev.carillon.campaign.engine;

/** What becomes of one call of a store or queue. */
public enum CallOutcome {
  WELL,
  FAIL_BEFORE,
  FAIL_AFTER,
  KILL_BEFORE,
  KILL_AFTER,
  REPLY_LOST,
  PARTIAL,
  CONFLICT
}
