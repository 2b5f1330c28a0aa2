package dev.carillon.job;

import dev.carillon.gate.Gate;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.Page;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where gates are kept, and the jobs that wait at them. */
public interface Gates {

  int attentionShards();

  /** Each of them, as {@link Gate#unused} if it is not stored. Consistent. */
  Map<GateKey, Gate> find(Collection<GateKey> keys);

  /**
   * Those who wait at a gate, in {@link Waiter#ORDER}. Consistent.
   *
   * @param after continues behind this one; null begins with the first
   */
  List<Waiter> waiters(GateKey gate, @Nullable Waiter after, int limit);

  /** One page of the gates of a namespace's resources that have a gauge, by name. Consistent. */
  Page<Gate> resources(String namespace, int limit, @Nullable String next);

  /**
   * Replaces a gate, if what is stored has the version of {@code before}.
   *
   * @return false if it has another: nothing was changed
   */
  boolean update(Gate before, Gate after);

  /** Stores all of a step in one transaction, or nothing. */
  Outcome commit(Step step);

  /**
   * Up to {@code limit} wake-ups of gates of a shard, at or before {@code until}, in {@link
   * Wakeup#ORDER}. From an index, so it may lag.
   *
   * @param after continues behind this one; null begins with the first
   */
  List<Wakeup> needingAttention(int shard, Instant until, @Nullable Wakeup after, int limit);

  /** A gate before and after; stored with the next version. */
  record Change(Gate before, Gate after) {}

  /**
   * What belongs together.
   *
   * @param before the job as it was read; null if it is new
   * @param after null if no job is changed
   * @param gates each at most once
   */
  record Step(
      @Nullable Job before,
      @Nullable Job after,
      List<Change> gates,
      List<Waiter> joining,
      List<Waiter> leaving) {}

  /** How a step ended. */
  sealed interface Outcome {}

  /** It was stored. */
  record Done() implements Outcome {}

  /** The job is another by now. */
  record JobLost(Job present) implements Outcome {}

  /** A gate is another by now. */
  record GateLost() implements Outcome {}
}
