package dev.carillon.checker;

import dev.carillon.gate.GateKey;
import dev.carillon.job.JobId;
import dev.carillon.job.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the check queue carries: the request to look at some jobs and gates, all at one instant.
 *
 * @param due when to look, and not before
 * @param jobs together with the gates at most {@link #MOST_JOBS}
 */
public record Check(Instant due, List<JobId> jobs, List<GateKey> gates) {

  /** Keeps a check message far below what SQS allows, and a redelivered one cheap. */
  public static final int MOST_JOBS = 100;

  public Check(Instant due, List<JobId> jobs) {
    this(due, jobs, List.of());
  }

  /** All that it names. */
  public List<Subject> subjects() {
    return Stream.<Subject>concat(jobs.stream(), gates.stream()).toList();
  }

  /** As many checks as the subjects need, all due at one instant. */
  public static List<Check> of(Instant due, List<? extends Subject> subjects) {
    List<Check> checks = new ArrayList<>();
    for (int start = 0; start < subjects.size(); start += MOST_JOBS) {
      int end = Math.min(start + MOST_JOBS, subjects.size());
      checks.add(together(due, subjects.subList(start, end)));
    }
    return checks;
  }

  private static Check together(Instant due, List<? extends Subject> subjects) {
    List<JobId> jobs = new ArrayList<>();
    List<GateKey> gates = new ArrayList<>();
    for (Subject subject : subjects) {
      if (subject instanceof JobId job) {
        jobs.add(job);
      } else {
        gates.add((GateKey) subject);
      }
    }
    return new Check(due, List.copyOf(jobs), List.copyOf(gates));
  }
}
