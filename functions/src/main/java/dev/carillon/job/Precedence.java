package dev.carillon.job;

import org.jspecify.annotations.Nullable;

/**
 * The customer whose work a job is, and its priority.
 *
 * @param customer null for none
 * @param priority 0 to 9; 0 is the most urgent
 */
public record Precedence(@Nullable String customer, int priority) {

  /** The priority of a job whose schedule names none. */
  public static final int DEFAULT_PRIORITY = 5;

  /** The largest priority number. */
  public static final int LEAST_URGENT = 9;

  static final Precedence USUAL = new Precedence(null, DEFAULT_PRIORITY);
}
