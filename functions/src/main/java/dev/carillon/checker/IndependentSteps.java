package dev.carillon.checker;

import org.jspecify.annotations.Nullable;

/**
 * Runs independent steps, and rethrows the first failure at the end. A failed step does not keep
 * the other steps from running.
 */
final class IndependentSteps {

  private @Nullable RuntimeException failure;

  void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException unknown) {
      if (failure == null) {
        failure = unknown;
      } else {
        failure.addSuppressed(unknown);
      }
    }
  }

  /**
   * Throws the first failure of the steps, with the others as suppressed exceptions.
   *
   * @throws RuntimeException if any step failed
   */
  void rethrow() {
    if (failure != null) {
      throw failure;
    }
  }
}
