package dev.carillon.gate;

import dev.carillon.id.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The unfinished attempts that a gate counts. The first are part of the gate's item. Each further
 * slot is an item of its own, stored and deleted in one transaction with the gate. So a gate with
 * many slots stays small. The gate knows the number of these items, and it knows the slots that
 * were read from them.
 *
 * @param room how many slots the gate's item takes while no slot has an item of its own
 * @param inline the slots in the gate's item, the oldest first; they are more than {@code room} if
 *     a version that knows no items of slots stored them
 * @param apart how many slots have items of their own
 * @param found jobs whose slots have items of their own, as far as they were read
 * @param added the items to store with the next version of the gate
 * @param removed the jobs whose items are deleted with the next version of the gate
 */
public record Slots(
    int room,
    List<Slot> inline,
    int apart,
    Set<JobId> found,
    List<Slot> added,
    List<JobId> removed) {

  /** How many slots fit into a gate that stays below 1 KB and therefore costs one write unit. */
  public static final int ROOM = 16;

  /**
   * The number of places in the gate's item that stay free while slots have items of their own. In
   * this case jobs usually wait, and the gate's other data must fit into the KB as well.
   */
  private static final int KEPT_FREE = 2;

  public static final Slots NONE = none(ROOM);

  /** An empty list of slots, for a gate whose item has the given room. */
  public static Slots none(int room) {
    return new Slots(room, List.of(), 0, Set.of(), List.of(), List.of());
  }

  /** The slots as they were read from the gate's item. */
  public static Slots of(List<Slot> inline, int apart) {
    return new Slots(ROOM, inline, apart, Set.of(), List.of(), List.of());
  }

  public int size() {
    return inline.size() + apart;
  }

  public boolean isEmpty() {
    return size() == 0;
  }

  /** Whether the next version stores or deletes items of slots. */
  public boolean changesItems() {
    return itemChanges() > 0;
  }

  /** How many items of slots the next version stores and deletes. */
  public int itemChanges() {
    return added.size() + removed.size();
  }

  /** Whether the job holds a slot among the slots that were read. */
  public boolean holds(JobId job) {
    return isInline(job) || isAdded(job) || (found.contains(job) && !removed.contains(job));
  }

  /** Whether the job may hold a slot that only an item of its own shows. */
  public boolean canHoldUnseen(JobId job) {
    return apart > 0 && !holds(job) && !removed.contains(job);
  }

  private boolean isInline(JobId job) {
    return inline.stream().anyMatch(slot -> slot.job().equals(job));
  }

  private boolean isAdded(JobId job) {
    return added.stream().anyMatch(slot -> slot.job().equals(job));
  }

  /** The same slots, which now include these jobs' slots with items of their own. */
  Slots finding(Collection<JobId> jobs) {
    Set<JobId> all = new HashSet<>(found);
    all.addAll(jobs);
    return new Slots(room, inline, apart, Collections.unmodifiableSet(all), added, removed);
  }

  /** The same slots, of which the given number have items of their own. */
  Slots counting(int items) {
    return new Slots(room, inline, items, found, added, removed);
  }

  /** The slots with the given slot added, unless its job holds a slot already. */
  Slots with(Slot slot) {
    if (holds(slot.job())) {
      return this;
    }
    if (inline.size() < (apart == 0 ? room : room - KEPT_FREE)) {
      List<Slot> more = Stream.concat(inline.stream(), Stream.of(slot)).sorted(Slot.ORDER).toList();
      return new Slots(room, more, apart, found, added, removed);
    }
    List<Slot> more = Stream.concat(added.stream(), Stream.of(slot)).toList();
    return new Slots(room, inline, apart + 1, found, more, removed);
  }

  /** The slots without the slot of a job. If the job is known to hold none, they stay the same. */
  Slots without(JobId job) {
    if (isInline(job)) {
      return new Slots(room, others(inline, job), apart, found, added, removed);
    }
    int rest = Math.max(0, apart - 1);
    if (isAdded(job)) {
      return new Slots(room, inline, rest, found, others(added, job), removed);
    }
    if (!holds(job)) {
      return this;
    }
    List<JobId> more = new ArrayList<>(removed);
    more.add(job);
    return new Slots(room, inline, rest, found, added, List.copyOf(more));
  }

  private static List<Slot> others(List<Slot> slots, JobId job) {
    return slots.stream().filter(slot -> !slot.job().equals(job)).toList();
  }

  /** The slots after the next version of the gate was stored. */
  Slots stored() {
    return new Slots(room, inline, apart, Set.of(), List.of(), List.of());
  }
}
