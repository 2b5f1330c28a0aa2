package dev.carillon.check;

import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;

/**
 * Delivers checks within the second in which they are due. Delivers jobs that are overdue at a
 * bounded rate, by {@link OverdueCheck#route}.
 */
public interface CheckQueue {

  /** The longest delay of a message in seconds, which is the limit of SQS. */
  long LONGEST_DELAY_SECONDS = Wakeup.LONGEST_DELAY.toSeconds();

  /**
   * Sends all checks, each delayed by the whole seconds from {@code now} to its due instant.
   *
   * @throws RuntimeException unless all were accepted; some of them may have been accepted
   */
  void send(List<Check> checks, Instant now);
}
