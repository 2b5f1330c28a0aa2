package dev.carillon.constraint;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The result of checking a job's constraints at one instant. */
public sealed interface Verdict {

  /** All constraints hold, so the job can launch. */
  record Satisfied() implements Verdict {}

  /**
   * The job must wait.
   *
   * @param checkAt the first instant at which the result can change; null if only an event can
   *     change it
   * @param reason the reason as the job's history shows it
   */
  record NotYet(@Nullable Instant checkAt, String reason) implements Verdict {}

  /**
   * The job's time-out has passed.
   *
   * @param unmet the unmet constraints; null if the request of the job was refused
   */
  record TooLate(@Nullable String unmet) implements Verdict {}

  /** The job will never launch. */
  record Never(String reason) implements Verdict {}
}
