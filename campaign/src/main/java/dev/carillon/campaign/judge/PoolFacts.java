package dev.carillon.campaign.judge;

import java.util.List;

/**
 * What was observed of the pool of an episode; instants are epoch milliseconds of true time.
 *
 * @param versions its definitions, in order
 * @param stays in the order in which they began
 * @param disturbed when invocations that may have moved jobs were killed, or had calls that failed
 */
public record PoolFacts(List<PoolVersion> versions, List<Stay> stays, List<Long> disturbed) {

  public static final PoolFacts NONE = new PoolFacts(List.of(), List.of(), List.of());

  public PoolFacts {
    versions = List.copyOf(versions);
    stays = List.copyOf(stays);
    disturbed = List.copyOf(disturbed);
  }

  /**
   * A definition.
   *
   * @param called when it was first requested
   * @param returned when the request was answered
   */
  public record PoolVersion(long called, long returned, PoolSpec definition) {}

  /**
   * An attempt that waits in the pool, and what follows; instants that did not come are {@link
   * History#NEVER}.
   *
   * @param since when it became READY, by the clock of a function
   * @param ready when it became READY
   * @param entered when the pool knew it
   * @param chosen when the choice was stored that it left by
   * @param turn its number among all chosen ones
   * @param left when it was leased to be sent
   * @param sent when its request first arrived in the queue
   * @param received when a worker first received the request
   * @param claimed when a worker's claim was stored
   * @param over when the attempt was over, or waited elsewhere
   */
  public record Stay(
      String jobId,
      String customer,
      int priority,
      long since,
      long ready,
      long entered,
      long chosen,
      int turn,
      long left,
      long sent,
      long received,
      long claimed,
      long over) {

    /** When it no longer waits in the pool. */
    long waitsUntil() {
      return Math.min(left, over);
    }

    /** When its request no longer waits in the queue, as far as a function can know. */
    long queuedUntil() {
      return Math.min(claimed, over);
    }
  }
}
