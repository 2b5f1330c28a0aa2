package dev.carillon.job;

import dev.carillon.id.JobId;
import java.util.Set;

/**
 * The rows of some jobs cannot be read, so nobody can tell what became of them: they are not gone.
 * What was asked of others may be asked again without them.
 */
public final class UnreadableJobs extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Set<JobId> ids;

  public UnreadableJobs(Set<JobId> ids, RuntimeException damage) {
    super("the rows of " + ids + " cannot be read", damage);
    this.ids = Set.copyOf(ids);
  }

  /** At least one. */
  public Set<JobId> ids() {
    return ids;
  }
}
