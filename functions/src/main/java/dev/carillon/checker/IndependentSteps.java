package dev.carillon.checker;

import org.jspecify.annotations.Nullable;

/** Runs independent steps: one that fails does not keep the others from running. */
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
   * Ends the steps.
   *
   * @throws RuntimeException what the first of them threw, if any did
   */
  void rethrow() {
    if (failure != null) {
      throw failure;
    }
  }
}
