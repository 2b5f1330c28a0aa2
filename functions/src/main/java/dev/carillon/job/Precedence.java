package dev.carillon.job;

import org.jspecify.annotations.Nullable;

/**
 * The customer for which a job works, its priority, and the link that joins it with other jobs.
 *
 * @param customer null for none
 * @param priority 0 to 9; 0 is the most urgent
 * @param linkId the jobs of a namespace with the same link are listed together; null for none
 */
public record Precedence(@Nullable String customer, int priority, @Nullable String linkId) {

  /** The priority of a job whose schedule names none. */
  public static final int DEFAULT_PRIORITY = 5;

  /** The largest priority number. */
  public static final int LEAST_URGENT = 9;

  static final Precedence USUAL = new Precedence(null, DEFAULT_PRIORITY, null);
}
