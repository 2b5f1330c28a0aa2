package dev.carillon.campaign.judge;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How the runs of a document are tracked and retried; times are in milliseconds.
 *
 * @param enqueue how long a request waits for a claim
 * @param claim how long after its claim the first report must come
 * @param heartbeat the longest time between two reports
 * @param run how long after its first report a run must end
 * @param attempts the most attempts of a job, apart from those that callers asked for
 * @param backoff the longest delay before the second attempt
 * @param rate the factor by which the longest delay grows with each further attempt
 * @param mostBackoff the limit of that growth
 * @param operations how many operations its jobs consist of
 */
public record Tracking(
    long enqueue,
    long claim,
    long heartbeat,
    long run,
    int attempts,
    long backoff,
    int rate,
    long mostBackoff,
    int operations) {

  /** The tracking of jobs without operations. */
  public Tracking(
      long enqueue,
      long claim,
      long heartbeat,
      long run,
      int attempts,
      long backoff,
      int rate,
      long mostBackoff) {
    this(enqueue, claim, heartbeat, run, attempts, backoff, rate, mostBackoff, 0);
  }

  /** The ids of the operations. */
  public List<String> operationIds() {
    return IntStream.rangeClosed(1, operations).mapToObj(number -> "o" + number).toList();
  }

  /** The longest delay after an attempt has failed. */
  long longestBackoff(int attempt) {
    double grown = (double) backoff * Math.pow(rate, attempt - 1.0);
    return (long) Math.ceil(Math.min((double) mostBackoff, grown));
  }

  /** The longest time that one attempt and the delay after it can take. */
  public long longest() {
    return enqueue + claim + heartbeat + run + mostBackoff;
  }
}
