package dev.carillon.job;

import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.UnreadableItems;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores gates and the jobs that wait at them. */
public interface Gates {

  int attentionShards();

  /**
   * Whether a shard of the index has no entry of a gate. Entries of all instants count, readable or
   * not. The index can lag.
   */
  boolean isAttentionEmpty(int shard);

  /**
   * The gates of the given keys; {@link Gate#unused} for a gate that is not stored. The read is
   * strongly consistent.
   *
   * @throws UnreadableItems if some of them cannot be read
   */
  Map<GateKey, Gate> find(Collection<GateKey> keys);

  /**
   * Those of the given jobs whose slots at a gate have items of their own. The read is strongly
   * consistent.
   */
  Set<JobId> holders(GateKey gate, Collection<JobId> jobs);

  /**
   * The slots that have items of their own at a gate, the oldest first. The read is strongly
   * consistent. A slot that cannot be read completely counts as the oldest.
   */
  List<Slot> slotsApart(GateKey gate);

  /** The gate, which now also knows the slots of these jobs that have items of their own. */
  default Gate finding(Gate gate, Collection<JobId> jobs) {
    List<JobId> unseen = jobs.stream().filter(gate.slots()::canHoldUnseen).toList();
    return unseen.isEmpty() ? gate : gate.finding(holders(gate.key(), unseen));
  }

  /** The gates, which now also know the slots of an unfinished job that have items of their own. */
  default Map<GateKey, Gate> finding(Map<GateKey, Gate> read, Job job) {
    Map<GateKey, Gate> gates = new HashMap<>(read);
    GateTicket ticket = job.ticket();
    if (ticket != null && ticket.slotted() && !job.isEnded()) {
      gates.replaceAll(
          (key, gate) -> ticket.gates().contains(key) ? finding(gate, List.of(job.id())) : gate);
    }
    return gates;
  }

  /** All slots of a gate, the oldest first. */
  default List<Slot> slots(Gate gate) {
    List<Slot> inline = gate.slots().inline();
    return gate.slots().apart() == 0
        ? inline
        : Stream.concat(inline.stream(), slotsApart(gate.key()).stream())
            .sorted(Slot.ORDER)
            .toList();
  }

  /**
   * The jobs that wait at a gate, in {@link Waiter#ORDER}. The read is strongly consistent.
   *
   * @param after the page starts after this one; null for the first page
   */
  List<Waiter> waiters(GateKey gate, @Nullable Waiter after, int limit);

  /**
   * One page of the gates of a namespace's resources that have a gauge, by name, without those that
   * cannot be read. The read is strongly consistent.
   */
  Page<Gate> resources(String namespace, int limit, @Nullable String next);

  /**
   * Replaces a gate if the version of {@code before} is still stored, in one transaction with the
   * items of slots that {@code after} adds and removes.
   *
   * @return false if another version is stored, if a slot to add exists already, or if a slot to
   *     remove does not exist; then nothing was changed
   */
  boolean update(Gate before, Gate after);

  /**
   * Replaces a gate that cannot be read.
   *
   * @return false if the stored gate can be read; then nothing was stored. A store whose items
   *     cannot be damaged always returns false
   */
  default boolean overwrite(Gate after) {
    return false;
  }

  /**
   * Stores a whole step in one transaction, or nothing.
   *
   * @throws UnreadableJobs if another writer changed a job first, and the stored job cannot be read
   */
  Outcome commit(Step step);

  /**
   * Up to {@code limit} wake-ups of gates of a shard, at or before {@code until}, in {@link
   * Wakeup#ORDER}. The wake-ups are read from an index, which can lag.
   *
   * @param after the page starts after this one; null for the first page
   */
  List<Wakeup> needingAttention(int shard, Instant until, @Nullable Wakeup after, int limit);

  /** A gate before and after a change; {@code after} is stored with the next version. */
  record Change(Gate before, Gate after) {}

  /**
   * A job before and after a change.
   *
   * @param before the job as it was read; null if it is new
   */
  record JobChange(@Nullable Job before, Job after) {}

  /**
   * Changes that are stored in one transaction.
   *
   * @param jobs the changed jobs, each at most once
   * @param gates the changed gates, each at most once
   */
  record Step(
      List<JobChange> jobs, List<Change> gates, List<Waiter> joining, List<Waiter> leaving) {

    /** The most items that one transaction takes: a limit of DynamoDB. */
    public static final int MOST_ITEMS = 100;

    public static final Step NOTHING = new Step(List.of(), List.of(), List.of(), List.of());

    /** The step of one job. */
    public static Step of(
        @Nullable Job before,
        Job after,
        List<Change> gates,
        List<Waiter> joining,
        List<Waiter> leaving) {
      return new Step(List.of(new JobChange(before, after)), gates, joining, leaving);
    }

    /**
     * This step and another one, in one transaction.
     *
     * @param next the other step, which concerns other jobs. If both steps change a gate, {@code
     *     next} was decided on the gate as this step leaves it
     */
    public Step and(Step next) {
      Map<GateKey, Change> changed = new LinkedHashMap<>();
      gates.forEach(change -> changed.put(change.before().key(), change));
      next.gates()
          .forEach(
              change ->
                  changed.merge(
                      change.before().key(),
                      change,
                      (first, last) -> new Change(first.before(), last.after())));
      return new Step(
          joined(jobs, next.jobs()),
          List.copyOf(changed.values()),
          joined(joining, next.joining()),
          joined(leaving, next.leaving()));
    }

    /** How many items the transaction has. */
    public int size() {
      int slots = gates.stream().mapToInt(change -> change.after().slots().itemChanges()).sum();
      return jobs.size() + gates.size() + slots + joining.size() + leaving.size();
    }

    private static <T> List<T> joined(List<T> first, List<T> last) {
      return Stream.concat(first.stream(), last.stream()).toList();
    }
  }

  /** The outcome of a step. */
  sealed interface Outcome {}

  /** The step was stored. */
  record Done() implements Outcome {}

  /** Another writer changed this job first. */
  record JobLost(Job present) implements Outcome {}

  /** Another writer changed a gate or one of its slots first. */
  record GateLost() implements Outcome {}
}
