package dev.carillon.event;

import java.time.Duration;
import java.util.List;

/** The queue that takes events. */
public interface IngestQueue {

  /**
   * @param delay the time after which the messages can be received
   * @throws RuntimeException unless all messages were accepted; some of them may have been accepted
   */
  void send(List<String> bodies, Duration delay);

  /** Sends messages that can be received at once. */
  default void send(List<String> bodies) {
    send(bodies, Duration.ZERO);
  }
}
