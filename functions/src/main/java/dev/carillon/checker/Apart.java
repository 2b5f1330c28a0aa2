package dev.carillon.checker;

import org.jspecify.annotations.Nullable;

/**
 * Takes steps of which none needs another: one that fails does not keep the others from being
 * taken.
 */
final class Apart {

  private @Nullable RuntimeException failure;

  void take(Runnable step) {
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
   * To be called after all of them.
   *
   * @throws RuntimeException what the first of them threw, if any did
   */
  void requireAll() {
    if (failure != null) {
      throw failure;
    }
  }
}
