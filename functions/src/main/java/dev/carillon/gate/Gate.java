package dev.carillon.gate;

import dev.carillon.constraint.Gauge;
import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.wakeup.Wakeup;
import dev.carillon.wakeup.Wakeup.Plan;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the launches of a program, of a group of programs, or under a resource have in common.
 * Immutable; the methods answer with the gate's next version, to be stored on condition of this
 * one.
 *
 * @param version counts the stored changes; 0 for a gate that is not stored
 * @param slots the unfinished attempts, the oldest first
 * @param launches the last ones, the oldest first; as many as the limits at this gate need
 * @param lastSuccess the end of the last successful run; null if there was none
 * @param waiters how many jobs wait here
 * @param wakeup the plan of the next check of whether one of them can go; null if none waits
 * @param ends the hashes of events that ended runs without naming them, and when
 * @param gauge what was reported of the resource; null for nothing, and at other gates
 */
public record Gate(
    GateKey key,
    long version,
    List<Slot> slots,
    List<Instant> launches,
    @Nullable Instant lastSuccess,
    int waiters,
    @Nullable Plan wakeup,
    Map<Long, Instant> ends,
    @Nullable Gauge gauge) {

  /** How many unfinished attempts a gate can count; whoever comes then has to wait. */
  public static final int MOST_SLOTS = 2_000;

  /** How long an attempt of which no end is reported is unfinished. */
  public static final Duration RUN_TIMEOUT = Duration.ofDays(1);

  /** How long the event that ended a run is remembered. */
  public static final Duration ENDS_WINDOW = Duration.ofMinutes(10);

  /** The ends that are remembered; above it the oldest go early. */
  public static final int MOST_ENDS = 200;

  /** By how much clocks may differ. */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

  /** How long after the time-out of its oldest attempt somebody looks at a gate in any case. */
  private static final Duration SAFETY = Duration.ofMinutes(2);

  /** An unfinished attempt. */
  public record Slot(JobId job, Instant since) {
    static final Comparator<Slot> ORDER =
        Comparator.comparing(Slot::since).thenComparing(slot -> slot.job().toString());
  }

  /** One that nothing has gone through yet. */
  public static Gate unused(GateKey key) {
    return new Gate(key, 0, List.of(), List.of(), null, 0, null, Map.of(), null);
  }

  /** When it is checked next; null if no job waits. */
  public @Nullable Instant wakeAt() {
    return wakeup == null ? null : wakeup.at();
  }

  // ---- decisions

  /**
   * Why a job cannot go through now, and when to look again.
   *
   * @param self counts not; null for any job
   */
  public Optional<NotYet> unmet(List<Limit> limits, @Nullable JobId self, Instant now) {
    return new GateLimits(this, self, now).unmet(limits);
  }

  /** What the resource's gauge shows. */
  public Optional<BigDecimal> knownValue(Instant now) {
    return gauge == null ? Optional.empty() : gauge.known(now);
  }

  public boolean holds(JobId job) {
    return slots.stream().anyMatch(slot -> slot.job().equals(job));
  }

  /** Whether this event has ended a run already. */
  public boolean knowsEnd(long event) {
    return ends.containsKey(event);
  }

  /** When somebody looks at it whatever happens, while jobs wait. */
  public Instant safety(Instant now) {
    Instant oldest = slots.isEmpty() ? now : slots.get(0).since();
    Instant safety = oldest.plus(RUN_TIMEOUT).plus(SAFETY);
    return safety.isAfter(now) ? safety : now.plus(SAFETY);
  }

  // ---- changes

  /** A job goes through. */
  public Gate taken(JobId job, Counted counted, Instant now) {
    List<Slot> held = new ArrayList<>(slots);
    if (counted.slots() && !holds(job)) {
      held.add(new Slot(job, now));
      held.sort(Slot.ORDER);
    }
    List<Instant> recent = new ArrayList<>(launches);
    if (counted.launches() > 0) {
      recent.removeIf(launch -> !launch.plus(counted.per()).isAfter(now));
      recent.add(now);
      recent.sort(Comparator.naturalOrder());
      recent = recent.subList(Math.max(0, recent.size() - counted.launches()), recent.size());
    }
    return with(List.copyOf(held), List.copyOf(recent), lastSuccess, waiters, wakeup, ends);
  }

  /** A job is over; the same gate if it held nothing. */
  public Gate freed(JobId job) {
    if (!holds(job)) {
      return this;
    }
    List<Slot> held = slots.stream().filter(slot -> !slot.job().equals(job)).toList();
    return with(held, launches, lastSuccess, waiters, wakeup, ends);
  }

  /** A launch that was counted did not take place. */
  public Gate notLaunched(Instant takenAt) {
    List<Instant> others = new ArrayList<>(launches);
    return others.remove(takenAt)
        ? with(slots, List.copyOf(others), lastSuccess, waiters, wakeup, ends)
        : this;
  }

  /** A run has ended well; the same gate if a later one is known. */
  public Gate succeeded(Instant at) {
    return lastSuccess != null && !lastSuccess.isBefore(at)
        ? this
        : with(slots, launches, at, waiters, wakeup, ends);
  }

  /** An event has ended a run. */
  public Gate endedBy(long event, Instant now) {
    Map<Long, Instant> known = new TreeMap<>();
    List<Map.Entry<Long, Instant>> recent =
        ends.entrySet().stream()
            .filter(end -> !end.getValue().isBefore(now.minus(ENDS_WINDOW)))
            .sorted(Map.Entry.comparingByValue())
            .toList();
    recent
        .subList(Math.max(0, recent.size() - MOST_ENDS + 1), recent.size())
        .forEach(end -> known.put(end.getKey(), end.getValue()));
    known.put(event, now);
    return with(slots, launches, lastSuccess, waiters, wakeup, Collections.unmodifiableMap(known));
  }

  /**
   * A user tells what the resource's gauge shows now; null for nothing any more. Who came just
   * before it would have expired may have found that it had, by a clock that is ahead, and waits.
   */
  public Gate reported(@Nullable Gauge report, Instant now) {
    Gate after =
        new Gate(key, version, slots, launches, lastSuccess, waiters, wakeup, ends, report);
    Instant nearlyNow = now.plus(CLOCKS_DIFFER);
    boolean isSame =
        knownValue(now).equals(after.knownValue(now))
            && knownValue(now).equals(knownValue(nearlyNow));
    if (!isSame) {
      return after.wokenBy(now);
    }
    Instant expiry = report == null ? null : report.expiresAt();
    boolean isEarlier =
        expiry != null
            && (gauge == null || gauge.expiresAt() == null || expiry.isBefore(gauge.expiresAt()));
    return isEarlier && expiry != null ? after.wokenBy(expiry, now) : after;
  }

  /** One more waits, so that the gate is checked at {@code wake} at the latest. */
  public Gate joined(Instant wake, Instant now) {
    return with(slots, launches, lastSuccess, waiters + 1, wakeup, ends).wokenBy(wake, now);
  }

  /** One waits no more. */
  public Gate left() {
    int rest = Math.max(0, waiters - 1);
    return with(slots, launches, lastSuccess, rest, rest == 0 ? null : wakeup, ends);
  }

  /** If jobs wait, the gate is checked now. */
  public Gate wokenBy(Instant now) {
    return wokenBy(now, now);
  }

  private Gate wokenBy(Instant wake, Instant now) {
    boolean serves = wakeup != null && !wakeup.at().isAfter(wake);
    return waiters == 0 || serves ? this : waking(Wakeup.plan(wake, now));
  }

  /** It is checked next as planned; null for not, as no job waits. */
  public Gate waking(@Nullable Plan next) {
    return with(slots, launches, lastSuccess, waiters, next, ends);
  }

  private Gate with(
      List<Slot> newSlots,
      List<Instant> newLaunches,
      @Nullable Instant newLastSuccess,
      int newWaiters,
      @Nullable Plan newWakeup,
      Map<Long, Instant> newEnds) {
    return new Gate(
        key, version, newSlots, newLaunches, newLastSuccess, newWaiters, newWakeup, newEnds, gauge);
  }

  /** As it is stored after this. */
  public Gate stored() {
    return new Gate(key, version + 1, slots, launches, lastSuccess, waiters, wakeup, ends, gauge);
  }
}
