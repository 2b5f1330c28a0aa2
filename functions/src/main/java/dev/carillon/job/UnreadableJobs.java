package dev.carillon.job;

import dev.carillon.id.JobId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Some jobs exist but cannot be read, so their states are unknown. The caller can repeat the call
 * without them.
 */
public final class UnreadableJobs extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Set<JobId> ids;
  private final transient List<Optional<Job>> outcomes;

  public UnreadableJobs(Set<JobId> ids, RuntimeException damage) {
    this(ids, damage, List.of());
  }

  /**
   * @param outcomes the outcomes of a write of several jobs, in order; an outcome is empty for a
   *     job that cannot be read
   */
  public UnreadableJobs(Set<JobId> ids, RuntimeException damage, List<Optional<Job>> outcomes) {
    super("the stored jobs " + ids + " cannot be read", damage);
    this.ids = Set.copyOf(ids);
    this.outcomes = List.copyOf(outcomes);
  }

  /**
   * Reads the jobs that can be read.
   *
   * @param unreadable receives the ids of unreadable jobs
   */
  public static Map<JobId, Job> readable(
      List<JobId> ids, Set<JobId> unreadable, Function<List<JobId>, Map<JobId, Job>> read) {
    if (ids.isEmpty()) {
      return Map.of();
    }
    try {
      return read.apply(ids);
    } catch (UnreadableJobs damaged) {
      unreadable.addAll(damaged.ids());
      return read.apply(ids.stream().filter(id -> !damaged.ids().contains(id)).toList());
    }
  }

  /** What a write of several jobs returns; it is empty for a job that cannot be read. */
  public List<Optional<Job>> outcomes() {
    return outcomes;
  }

  /** The ids of the unreadable jobs; at least one. */
  public Set<JobId> ids() {
    return ids;
  }
}
