package dev.carillon.check;

import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;

/** The queue that carries checks to their second. */
public interface CheckQueue {

  /** The longest that a message can be delayed, in seconds: what SQS allows. */
  long LONGEST_DELAY_SECONDS = Wakeup.LONGEST_DELAY.toSeconds();

  /**
   * Sends all of them, each delayed by the whole seconds from {@code now} to its due instant.
   *
   * @throws RuntimeException unless every one was accepted; some may have been
   */
  void send(List<Check> checks, Instant now);
}
