package dev.carillon.time;

/** How a cron expression is read. */
public enum Dialect {
  /** 6 or 7 fields from seconds on; exactly one of day-of-month and day-of-week is {@code ?}. */
  QUARTZ,
  /**
   * 5 fields from minutes on; 0 and 7 are Sunday. Two restricted day fields mean either day; one
   * that begins with {@code *} is not restricted, so that both must match then, as in Vixie cron.
   */
  UNIX,
  /**
   * EventBridge's 6 fields, from minutes to the year; exactly one of day-of-month and day-of-week
   * is {@code ?}, and Sunday is 1.
   */
  AWS
}
