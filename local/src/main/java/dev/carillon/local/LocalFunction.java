package dev.carillon.local;

import org.jspecify.annotations.Nullable;

/** A function of the template, for its event sources. */
interface LocalFunction extends AutoCloseable {

  String name();

  /**
   * Waits until it can handle events.
   *
   * @throws StartFault if it cannot start
   */
  void awaitReady();

  /** The number of concurrent invocations that event sources should make. */
  int mostConcurrent();

  /**
   * Runs the handler and waits for its end.
   *
   * @param event the event, of a type of Lambda's event library
   * @param answer the type of the handler's result
   * @throws RuntimeException if the function failed
   */
  <T> @Nullable T invoke(Object event, Class<T> answer);

  @Override
  void close();
}
