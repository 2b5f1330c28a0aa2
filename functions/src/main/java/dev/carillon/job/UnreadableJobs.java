package dev.carillon.job;

import dev.carillon.id.JobId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
   * @param outcomes of a write of several jobs, in order; empty for those that cannot be read
   */
  public UnreadableJobs(Set<JobId> ids, RuntimeException damage, List<Optional<Job>> outcomes) {
    super("the stored jobs " + ids + " cannot be read", damage);
    this.ids = Set.copyOf(ids);
    this.outcomes = List.copyOf(outcomes);
  }

  /** What a write of several jobs returns; empty for those that cannot be read. */
  public List<Optional<Job>> outcomes() {
    return outcomes;
  }

  /** The ids of the unreadable jobs; at least one. */
  public Set<JobId> ids() {
    return ids;
  }
}
