package dev.carillon.metrics;

import dev.carillon.gate.Gate;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.Page;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what becomes of jobs that are stored together with gates, as {@link MeteredJobs} does. */
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
    Job after = step.after();
    if (outcome instanceof Done && after != null) {
      if (step.before() == null) {
        MeteredJobs.inserted(after, metrics);
      } else {
        MeteredJobs.updated(new Update(step.before(), after), metrics);
      }
    }
    return outcome;
  }

  @Override
  public int attentionShards() {
    return gates.attentionShards();
  }

  @Override
  public Map<GateKey, Gate> find(Collection<GateKey> keys) {
    return gates.find(keys);
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
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return gates.needingAttention(shard, until, after, limit);
  }
}
