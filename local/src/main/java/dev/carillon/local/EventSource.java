package dev.carillon.local;

import java.time.Duration;

/** A source of events that invokes a function. */
sealed interface EventSource {

  /**
   * A queue.
   *
   * @param window how long a batch may wait for more messages
   * @param partialResponses whether the function returns the ids of failed messages
   */
  record Queue(
      String queueArn, int batchSize, Duration window, boolean partialResponses, int concurrency)
      implements EventSource {

    String queueName() {
      return queueArn.substring(queueArn.lastIndexOf(':') + 1);
    }
  }

  /** A fixed rate. */
  record Rate(Duration every) implements EventSource {}

  /**
   * An HTTP route.
   *
   * @param path the path, with variables like {@code /v1/jobs/{id}}
   */
  record Route(String method, String path) implements EventSource {}
}
