package dev.carillon.constraint;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What constraints say about a job at one instant. */
public sealed interface Verdict {

  /** It may launch. */
  record Satisfied() implements Verdict {}

  /**
   * It has to wait.
   *
   * @param lookAt the first instant at which this can be otherwise; null if only an event can
   *     change it
   * @param reason for its history
   */
  record NotYet(@Nullable Instant lookAt, String reason) implements Verdict {}

  /**
   * It has waited for too long.
   *
   * @param unmet what the constraints say; null if its request was not accepted
   */
  record TooLate(@Nullable String unmet) implements Verdict {}

  /** It will never launch. */
  record Never(String reason) implements Verdict {}
}
