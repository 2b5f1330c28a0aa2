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
 * The slots of a gate: the places that unfinished attempts take. The first slots are part of the
 * gate's item. Each further slot is an item of its own, so that a gate with many slots stays small;
 * such an item is stored and deleted in one transaction with the gate.
 *
 * @param room the most slots in the gate's item while no slot has an item of its own
 * @param inline the slots in the gate's item, the oldest first; more than {@code room} if a version
 *     that knows no items of slots stored them
 * @param apart the number of slots that have items of their own
 * @param found the jobs of those items that were read; other items are known by their number only
 * @param added the slots whose items are stored with the next version of the gate
 * @param removed the jobs whose items are deleted with the next version of the gate
 */
public record Slots(
    int room,
    List<Slot> inline,
    int apart,
    Set<JobId> found,
    List<Slot> added,
    List<JobId> removed) {

  /** The most slots in a gate's item, so that it stays below 1 KB and costs one write unit. */
  public static final int ROOM = 16;

  /**
   * How many places for slots in the gate's item stay empty while other slots have items of their
   * own. Then jobs usually wait at the gate, and the data about these jobs need room in the same
   * KB.
   */
  private static final int KEPT_FREE = 2;

  public static final Slots NONE = none(ROOM);

  /** An empty list of slots, for a gate whose item has the given room. */
  public static Slots none(int room) {
    return new Slots(room, List.of(), 0, Set.of(), List.of(), List.of());
  }

  /** The slots of a gate as its item shows them. No item of a slot has been read. */
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

  /** Whether the job may hold a slot in an item of its own that was not read. */
  public boolean canHoldUnseen(JobId job) {
    return apart > 0 && !holds(job) && !removed.contains(job);
  }

  private boolean isInline(JobId job) {
    return inline.stream().anyMatch(slot -> slot.job().equals(job));
  }

  private boolean isAdded(JobId job) {
    return added.stream().anyMatch(slot -> slot.job().equals(job));
  }

  /** The same slots, after the items of these jobs' slots were read. */
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
