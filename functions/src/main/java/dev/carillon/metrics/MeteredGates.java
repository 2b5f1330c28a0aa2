package dev.carillon.metrics;

import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs.Update;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the results of jobs that are stored together with gates, like {@link MeteredJobs}. */
public final class MeteredGates implements Gates {

  private final Gates gates;
  private final Metrics metrics;

  public MeteredGates(Gates gates, Metrics metrics) {
    this.gates = gates;
    this.metrics = metrics;
  }

  @Override
  public Outcome commit(Step step) {
    Outcome outcome = gates.commit(step);
    if (outcome instanceof Done) {
      step.jobs().forEach(this::count);
    }
    return outcome;
  }

  private void count(JobChange change) {
    if (change.before() == null) {
      MeteredJobs.inserted(change.after(), metrics);
    } else {
      MeteredJobs.updated(new Update(change.before(), change.after()), metrics);
    }
  }

  @Override
  public int attentionShards() {
    return gates.attentionShards();
  }

  @Override
  public boolean isAttentionEmpty(int shard) {
    return gates.isAttentionEmpty(shard);
  }

  @Override
  public Map<GateKey, Gate> find(Collection<GateKey> keys) {
    return gates.find(keys);
  }

  @Override
  public Set<JobId> holders(GateKey gate, Collection<JobId> jobs) {
    return gates.holders(gate, jobs);
  }

  @Override
  public List<Slot> slotsApart(GateKey gate) {
    return gates.slotsApart(gate);
  }

  @Override
  public List<Waiter> waiters(GateKey gate, @Nullable Waiter after, int limit) {
    return gates.waiters(gate, after, limit);
  }

  @Override
  public Page<Gate> resources(String namespace, int limit, @Nullable String next) {
    return gates.resources(namespace, limit, next);
  }

  @Override
  public boolean update(Gate before, Gate after) {
    return gates.update(before, after);
  }

  @Override
  public boolean overwrite(Gate after) {
    return gates.overwrite(after);
  }

  @Override
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return gates.needingAttention(shard, until, after, limit);
  }
}
