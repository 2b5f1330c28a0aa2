package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.ReplicatedIndex;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.Subject;
import dev.carillon.job.Gates;
import dev.carillon.memory.MemoryGates;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gates behind a simulated connection, with an attention index that lags. */
public final class SimGates implements Gates {

  private static final long LONGEST_LAG = 5_000;

  private final MemoryGates store;
  private final SimJobs jobs;
  private final Link link;
  private final ReplicatedIndex<Subject, Wakeup> attention;
  private final Set<Step> own = Collections.newSetFromMap(new IdentityHashMap<>());

  public SimGates(MemoryGates store, SimJobs jobs, Link link) {
    this(store, jobs, link, null);
  }

  /**
   * @param copies draws which copy of the index a read comes from; null for a single copy
   */
  public SimGates(MemoryGates store, SimJobs jobs, Link link, @Nullable SeededRandom copies) {
    this.store = store;
    this.jobs = jobs;
    this.link = link;
    this.attention =
        new ReplicatedIndex<>(
            link.simulator(),
            link.faults(),
            FaultKind.INDEX_LAG,
            FaultKind.READ_STEPPED_BACK,
            copies,
            LONGEST_LAG);
  }

  @Override
  public int attentionShards() {
    return store.attentionShards();
  }

  @Override
  public boolean isAttentionEmpty(int shard) {
    return link.read("gates.isAttentionEmpty", shard, () -> store.isAttentionEmpty(shard));
  }

  @Override
  public Map<GateKey, Gate> find(Collection<GateKey> keys) {
    return link.read("gates.find", keys, () -> store.find(keys));
  }

  @Override
  public Set<JobId> holders(GateKey gate, Collection<JobId> jobs) {
    return link.read("gates.holders", jobs, () -> store.holders(gate, jobs));
  }

  @Override
  public List<Slot> slotsApart(GateKey gate) {
    return link.read("gates.slotsApart", gate, () -> store.slotsApart(gate));
  }

  @Override
  public List<Waiter> waiters(GateKey gate, @Nullable Waiter after, int limit) {
    return link.read("gates.waiters", gate, () -> store.waiters(gate, after, limit));
  }

  @Override
  public Page<Gate> resources(String namespace, int limit, @Nullable String next) {
    return link.read("gates.resources", namespace, () -> store.resources(namespace, limit, next));
  }

  @Override
  public boolean update(Gate before, Gate after) {
    Supplier<Boolean> effect = () -> noted(store.update(before, after), after);
    return link.conditional("gates.update", after, effect, () -> isStill(after) || effect.get());
  }

  @Override
  public Outcome commit(Step step) {
    Supplier<Outcome> effect = () -> noted(store.commit(step), step);
    return link.conditional(
        "gates.commit", step, effect, () -> isOwn(step) ? new Done() : effect.get());
  }

  private boolean isStill(Gate written) {
    return link.isOwn(written, store.find(List.of(written.key())).get(written.key()));
  }

  /**
   * Whether this caller has stored the step. DynamoDB shows this, because it remembers the token of
   * a transaction for longer than a client repeats the transaction.
   */
  private boolean isOwn(Step written) {
    return link.isOwn(written, own.contains(written) ? written : null);
  }

  private boolean noted(boolean won, Gate after) {
    if (link.countLostRace(won)) {
      show(after);
    }
    return won;
  }

  private Outcome noted(Outcome outcome, Step step) {
    if (!link.countLostRace(outcome instanceof Done)) {
      return outcome;
    }
    own.add(step);
    step.gates().forEach(change -> show(change.after()));
    step.jobs().forEach(change -> jobs.show(change.after()));
    return outcome;
  }

  private void show(Gate gate) {
    Wakeup.Plan plan = gate.wakeup();
    show(gate.key(), plan == null ? null : new Wakeup(gate.key(), plan.attentionAt()));
  }

  /** Makes the index show the wake-up of a gate or pool, or none. */
  void show(Subject subject, @Nullable Wakeup wakeup) {
    attention.change(subject, wakeup);
  }

  @Override
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return link.read(
        "gates.needingAttention",
        shard,
        () -> AttentionPages.page(attention, attentionShards(), shard, until, after, limit));
  }
}
