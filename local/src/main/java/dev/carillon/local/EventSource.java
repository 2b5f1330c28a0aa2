package dev.carillon.local;

import java.time.Duration;

/** What invokes a function. */
sealed interface EventSource {

  /**
   * A queue.
   *
   * @param window how long a batch may wait to become full
   * @param partialResponses whether the function names the messages that failed
   */
  record Queue(
      String queueArn, int batchSize, Duration window, boolean partialResponses, int concurrency)
      implements EventSource {

    String queueName() {
      return queueArn.substring(queueArn.lastIndexOf(':') + 1);
    }
  }

  /** The clock. */
  record Rate(Duration every) implements EventSource {}

  /**
   * An HTTP route.
   *
   * @param path with variables, like {@code /v1/jobs/{id}}
   */
  record Route(String method, String path) implements EventSource {}
}
