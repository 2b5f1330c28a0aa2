package dev.carillon.local;

import org.jspecify.annotations.Nullable;

/** A function of the template, as its event sources see it. */
interface LocalFunction extends AutoCloseable {

  String name();

  /**
   * Returns when it can take events.
   *
   * @throws StartFault if it never can
   */
  void awaitReady();

  /** How many invocations event sources should have under way side by side. */
  int mostConcurrent();

  /**
   * Runs the handler, and returns when it has ended.
   *
   * @param event of a type that Lambda's event library has
   * @param answer the type of what the handler returns
   * @throws RuntimeException if the function failed
   */
  <T> @Nullable T invoke(Object event, Class<T> answer);

  @Override
  void close();
}
