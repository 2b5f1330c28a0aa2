package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Run;
import java.util.List;
import java.util.Set;

/**
 * Observations of programs with {@link Limits}.
 *
 * @param runs the runs whose ends are reported, in the order in which they began
 * @param ends the reports
 * @param interrupted the jobs whose launch was interrupted and repeated, as their histories say
 * @param repeats the repeated requests that a FIFO queue accepted and dropped
 */
public record LimitFacts(
    List<Run> runs, List<ReportedEnd> ends, Set<String> interrupted, List<Repeat> repeats) {

  public static final LimitFacts NONE = new LimitFacts(List.of(), List.of(), Set.of(), List.of());

  public LimitFacts {
    runs = List.copyOf(runs);
    ends = List.copyOf(ends);
    interrupted = Set.copyOf(interrupted);
    repeats = List.copyOf(repeats);
  }

  /**
   * A request that was sent again but did not arrive again, because its queue had accepted the same
   * deduplication id before. A rate counts it nevertheless.
   *
   * @param schedule the name of the job's schedule
   * @param sent when the call that sent it began
   * @param at when the queue dropped it
   */
  public record Repeat(String schedule, String jobId, long sent, long at) {}

  /**
   * An event that reports the end of a run.
   *
   * @param jobId the job whose run has ended
   * @param names whether the event names the job
   * @param status SUCCEEDED, FAILED or CANCELLED
   * @param sent when it was first sent
   */
  public record ReportedEnd(
      String id, String program, String jobId, boolean names, String status, long sent) {}
}
