package dev.carillon.check;

import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the check queue carries: the request to look at some jobs, gates and backfills, all at one
 * instant.
 *
 * @param due when to look, and not before
 * @param jobs together with the gates and backfills at most {@link #MOST_JOBS}
 */
public record Check(
    Instant due, List<JobId> jobs, List<GateKey> gates, List<BackfillId> backfills) {

  /** Keeps a check message far below what SQS allows, and a redelivered one cheap. */
  public static final int MOST_JOBS = 100;

  public Check(Instant due, List<JobId> jobs) {
    this(due, jobs, List.of(), List.of());
  }

  /** All that it names. */
  public List<Subject> subjects() {
    List<Subject> all = new ArrayList<>(jobs);
    all.addAll(gates);
    all.addAll(backfills);
    return all;
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
    return new Check(
        due,
        of(JobId.class, subjects),
        of(GateKey.class, subjects),
        of(BackfillId.class, subjects));
  }

  private static <T extends Subject> List<T> of(Class<T> kind, List<? extends Subject> subjects) {
    List<T> chosen = new ArrayList<>();
    for (Subject subject : subjects) {
      if (kind.isInstance(subject)) {
        chosen.add(kind.cast(subject));
      }
    }
    return chosen;
  }
}
