package dev.carillon.time;

/** The syntax of a cron expression. */
public enum Dialect {
  /** 6 or 7 fields from seconds on; exactly one of day-of-month and day-of-week is {@code ?}. */
  QUARTZ,
  /**
   * 5 fields from minutes on; 0 and 7 are Sunday. If one of the day fields begins with {@code *}, a
   * day must match both of them, as in Vixie cron; otherwise it must match either.
   */
  UNIX,
  /**
   * EventBridge's 6 fields, from minutes to the year; exactly one of day-of-month and day-of-week
   * is {@code ?}, and Sunday is 1.
   */
  AWS
}
