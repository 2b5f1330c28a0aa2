package dev.carillon.memory;

import dev.carillon.document.TextForm;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Slots;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gates in memory; a {@link MemoryJobs} holds the jobs that are stored together with them. */
public final class MemoryGates implements Gates {

  private final MemoryJobs jobs;
  private final Map<GateKey, Gate> gates = new HashMap<>();
  private final Map<GateKey, Map<JobId, Slot>> slots = new HashMap<>();
  private final TreeSet<Waiter> waiters = new TreeSet<>(Waiter.ORDER);
  private final Slots none;
  private final MemoryPools pools;

  public MemoryGates(MemoryJobs jobs) {
    this(jobs, Slots.NONE);
  }

  /**
   * @param none the slots of an unused gate; it determines how many slots a gate's item takes
   */
  public MemoryGates(MemoryJobs jobs, Slots none) {
    this.jobs = jobs;
    this.none = none;
    this.pools = new MemoryPools(jobs.shards());
  }

  /** The pools, whose wake-ups are in the same attention index. */
  public MemoryPools pools() {
    return pools;
  }

  @Override
  public int attentionShards() {
    return jobs.attentionShards();
  }

  @Override
  public synchronized boolean isAttentionEmpty(int shard) {
    return jobs.shards().isEmpty(shard, wakeups());
  }

  @Override
  public synchronized Map<GateKey, Gate> find(Collection<GateKey> keys) {
    return keys.stream().distinct().collect(Collectors.toMap(key -> key, this::present));
  }

  private Gate present(GateKey key) {
    return gates.getOrDefault(key, Gate.unused(key, none));
  }

  private Map<JobId, Slot> apart(GateKey gate) {
    return slots.computeIfAbsent(gate, any -> new HashMap<>());
  }

  @Override
  public synchronized Set<JobId> holders(GateKey gate, Collection<JobId> jobIds) {
    return jobIds.stream().filter(apart(gate)::containsKey).collect(Collectors.toSet());
  }

  @Override
  public synchronized List<Slot> slotsApart(GateKey gate) {
    return apart(gate).values().stream().sorted(Slot.ORDER).toList();
  }

  @Override
  public synchronized List<Waiter> waiters(GateKey gate, @Nullable Waiter after, int limit) {
    return (after == null ? waiters : waiters.tailSet(after, false))
        .stream().filter(waiter -> waiter.gate().equals(gate)).limit(limit).toList();
  }

  @Override
  public synchronized Page<Gate> resources(String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    List<Gate> found =
        gates.values().stream()
            .filter(gate -> gate.gauge() != null && gate.key().namespace().equals(namespace))
            .filter(gate -> next == null || gate.key().name().compareTo(next) > 0)
            .sorted(Comparator.comparing(gate -> gate.key().name()))
            .limit(limit + 1L)
            .toList();
    if (found.size() <= limit) {
      return new Page<>(found, null);
    }
    List<Gate> items = List.copyOf(found.subList(0, limit));
    return new Page<>(items, items.get(limit - 1).key().name());
  }

  @Override
  public synchronized boolean update(Gate before, Gate after) {
    if (!isUnchanged(before) || !areSlotsAsRead(after)) {
      return false;
    }
    put(after);
    return true;
  }

  private boolean areSlotsAsRead(Gate after) {
    Map<JobId, Slot> apart = apart(after.key());
    return after.slots().added().stream().noneMatch(slot -> apart.containsKey(slot.job()))
        && apart.keySet().containsAll(after.slots().removed());
  }

  private void put(Gate gate) {
    Map<JobId, Slot> apart = apart(gate.key());
    gate.slots().added().forEach(slot -> apart.put(slot.job(), slot));
    apart.keySet().removeAll(gate.slots().removed());
    gates.put(gate.key(), gate.stored());
    jobs.shards().written(gate.key());
  }

  /** Changes how many schedules set limits at gates. */
  synchronized void demand(Map<GateKey, Map<String, Long>> changes) {
    changes.forEach((key, texts) -> put(present(key).demanding(texts)));
  }

  private boolean isUnchanged(Gate before) {
    return present(before.key()).version() == before.version();
  }

  @Override
  public synchronized Outcome commit(Step step) {
    requireEachItemOnce(step);
    if (!step.gates().stream()
        .allMatch(change -> isUnchanged(change.before()) && areSlotsAsRead(change.after()))) {
      return new GateLost();
    }
    Optional<Job> present = step.jobs().stream().flatMap(this::otherThanRead).findFirst();
    if (present.isPresent()) {
      return new JobLost(present.get());
    }
    step.jobs().forEach(this::store);
    step.gates().forEach(change -> put(change.after()));
    step.leaving().forEach(waiters::remove);
    waiters.addAll(step.joining());
    return new Done();
  }

  /** DynamoDB refuses a transaction that writes an item twice. */
  private static void requireEachItemOnce(Step step) {
    List<Object> items = new ArrayList<>(step.joining());
    items.addAll(step.leaving());
    step.jobs().forEach(change -> items.add(change.after().id()));
    for (Change change : step.gates()) {
      Gate after = change.after();
      items.add(after.key());
      after.slots().added().forEach(slot -> items.add(List.of(after.key(), slot.job())));
      after.slots().removed().forEach(job -> items.add(List.of(after.key(), job)));
    }
    if (new HashSet<>(items).size() < items.size()) {
      throw new IllegalArgumentException("a transaction writes an item twice: " + items);
    }
  }

  private Stream<Job> otherThanRead(JobChange change) {
    JobId id = change.after().id();
    Optional<Job> stored = Optional.ofNullable(jobs.find(List.of(id)).get(id));
    Job before = change.before();
    boolean isAsRead =
        stored.isPresent()
            ? before != null
                && stored.get().version() == before.version()
                && stored.get().state() == before.state()
            : before == null;
    return isAsRead ? Stream.empty() : stored.stream();
  }

  private void store(JobChange change) {
    if (change.before() == null) {
      jobs.insert(List.of(change.after()));
    } else {
      jobs.update(List.of(new Update(change.before(), change.after())));
    }
  }

  @Override
  public synchronized List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return jobs.shards().page(shard, wakeups(), until, after, limit);
  }

  private Stream<Wakeup> wakeups() {
    Stream<Wakeup> ofGates = gates.values().stream().flatMap(gate -> wakeup(gate).stream());
    return Stream.concat(ofGates, pools.wakeups().stream());
  }

  private static Optional<Wakeup> wakeup(Gate gate) {
    return Optional.ofNullable(gate.wakeup())
        .map(plan -> new Wakeup(gate.key(), plan.attentionAt()));
  }

  /** The instant of the earliest wake-up; empty if there is none. */
  public synchronized Optional<Instant> earliestAttention() {
    return wakeups().map(Wakeup::at).min(Comparator.naturalOrder());
  }

  /** All gates that were ever used. */
  public synchronized List<Gate> all() {
    return List.copyOf(gates.values());
  }

  /** All waiting jobs, in order. */
  public synchronized List<Waiter> allWaiters() {
    return List.copyOf(waiters);
  }
}
