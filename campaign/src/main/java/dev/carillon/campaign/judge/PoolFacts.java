package dev.carillon.campaign.judge;

import java.util.ArrayList;
import java.util.List;

/**
 * Observations of the pool of an episode; instants are epoch milliseconds of true time.
 *
 * @param versions the definitions of the pool, in order
 * @param stays the stays of attempts in the pool, in the order in which they began
 * @param disturbed the instants at which invocations that may have moved jobs were killed, had
 *     failed calls, or took their own choice for that of another one
 * @param pulls the requests for the next jobs, in the order in which they ended
 * @param claims the claims that pulls have made, in order
 */
public record PoolFacts(
    List<PoolVersion> versions,
    List<Stay> stays,
    List<Long> disturbed,
    List<PullCall> pulls,
    List<Claim> claims) {

  public static final PoolFacts NONE =
      new PoolFacts(List.of(), List.of(), List.of(), List.of(), List.of());

  /** How long an invocation that moves jobs can act on what it has read. */
  private static final long MOVING = 15_000;

  /** How long an invocation that hands jobs to a worker can act on what it has read. */
  private static final long PULLING = 32_000;

  public PoolFacts {
    versions = List.copyOf(versions);
    stays = List.copyOf(stays);
    disturbed = List.copyOf(disturbed);
    pulls = List.copyOf(pulls);
    claims = List.copyOf(claims);
  }

  /** How long an invocation that chooses jobs can act on what it has read. */
  long actsFor() {
    return pulls.isEmpty() ? MOVING : PULLING;
  }

  /** The definitions that may have been in effect for some function between two instants. */
  List<PoolSpec> possible(long from, long to) {
    List<PoolSpec> found = new ArrayList<>();
    for (int i = 0; i < versions.size(); i++) {
      boolean hasEnded = i + 1 < versions.size() && versions.get(i + 1).returned() < from;
      if (versions.get(i).called() <= to && !hasEnded) {
        found.add(versions.get(i).definition());
      }
    }
    return found;
  }

  /**
   * A definition.
   *
   * @param called when it was first requested
   * @param returned when the request was answered
   */
  public record PoolVersion(long called, long returned, PoolSpec definition) {}

  /**
   * A claim that was stored for a pull.
   *
   * @param dated when its time-out began, by the clock of the function
   * @param at when it was stored
   */
  public record Claim(
      String jobId, int attempt, String worker, String token, long dated, long at) {}

  /**
   * The stay of an attempt in the pool, and what follows it. An instant that did not come is {@link
   * History#NEVER}.
   *
   * @param since when the attempt became READY, by the clock of a function
   * @param ready when it became READY, in true time
   * @param entered when it was added to the pool
   * @param named when it last got a row with the name of its customer, as the order fair needs it
   * @param chosen when the choice by which it left was stored
   * @param turn the number of the attempt among all chosen attempts
   * @param moved when it was chosen for the queue; NEVER if it was last chosen for a pull
   * @param isPulled whether a pull has claimed it
   * @param left when it was leased to be sent, or claimed by a pull
   * @param sent when its request first arrived in the queue
   * @param received when a worker first received the request
   * @param claimed when a worker's claim was stored
   * @param ended when the attempt had ended or waited elsewhere
   */
  public record Stay(
      String jobId,
      String customer,
      int priority,
      long since,
      long ready,
      long entered,
      long named,
      long chosen,
      int turn,
      long moved,
      boolean isPulled,
      long left,
      long sent,
      long received,
      long claimed,
      long ended) {

    /** The instant from which the attempt no longer waits in the pool. */
    long waitsUntil() {
      return Math.min(left, ended);
    }

    /**
     * The instant from which the request of the attempt no longer waits in the queue, as far as a
     * function can know.
     */
    long queuedUntil() {
      return Math.min(claimed, ended);
    }
  }
}
