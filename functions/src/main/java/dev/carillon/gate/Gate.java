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
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shared counter of a program, a group of programs, or a resource. Immutable; the methods
 * return the gate's next version, to be stored on condition that this version is still stored.
 *
 * @param version counts the stored changes; 0 for a gate that is not stored
 * @param slots the unfinished attempts
 * @param waiters how many jobs wait here
 * @param wakeup the plan of the next check that serves the waiting jobs; null if no job waits
 * @param gauge the last reported value of the resource; null if none was reported, and at gates of
 *     other kinds
 * @param demands how many schedules set the limits of a text ({@link LimitTexts}) here; at the gate
 *     of a program, all limits of its schedules. Changes with the schedules; each change raises the
 *     version
 */
public record Gate(
    GateKey key,
    long version,
    Slots slots,
    Remembered past,
    int waiters,
    @Nullable Plan wakeup,
    @Nullable Gauge gauge,
    Map<String, Long> demands) {

  /**
   * The most unfinished attempts that a gate counts. While it counts that many, all further jobs
   * wait.
   */
  public static final int MOST_SLOTS = 2_000;

  /** An attempt counts as unfinished for this long if its end is not reported. */
  public static final Duration RUN_TIMEOUT = Duration.ofDays(1);

  /** The largest difference between clocks. */
  static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

  /**
   * A gate with waiting jobs is always checked this long after the time-out of its oldest attempt.
   */
  private static final Duration SAFETY = Duration.ofMinutes(2);

  /** A gate that no job has passed. */
  public static Gate unused(GateKey key) {
    return unused(key, Slots.NONE);
  }

  /**
   * @param none an empty list of slots, with the room that the store gives it in the gate's item
   */
  public static Gate unused(GateKey key, Slots none) {
    return new Gate(key, 0, none, Remembered.NOTHING, 0, null, null, Map.of());
  }

  /**
   * A stand-in for a gate that cannot be read. Its version is taken from the clock. The version of
   * the lost gate grew by one with each change, so the new version exceeds it.
   *
   * @param apart how many slots of the gate have items of their own, counted again
   * @param waiters how many jobs wait at the gate, counted again
   */
  public static Gate standIn(GateKey key, int apart, int waiters, Instant now) {
    Gate gate = unused(key).with(now.toEpochMilli(), Slots.of(List.of(), apart));
    return gate.with(gate.slots, Remembered.NOTHING, waiters, null);
  }

  /** When the gate is checked next; null if no job waits. */
  public @Nullable Instant wakeAt() {
    return wakeup == null ? null : wakeup.at();
  }

  /** The instants of the last launches, the oldest first. */
  public List<Instant> launches() {
    return past.launches();
  }

  /** The end of the last successful run; null if there was none. */
  public @Nullable Instant lastSuccess() {
    return past.lastSuccess();
  }

  // ---- decisions

  /**
   * Why a job cannot pass now, and when to check again.
   *
   * @param self the job, whose own slot does not count; null for any job
   */
  public Optional<NotYet> unmet(List<Limit> limits, @Nullable JobId self, Instant now) {
    return new GateLimits(this, self, now).unmet(limits);
  }

  /** The value of the resource's gauge; empty if it is unknown. */
  public Optional<BigDecimal> knownValue(Instant now) {
    return gauge == null ? Optional.empty() : gauge.known(now);
  }

  /** Whether the job holds a slot among the slots that were read. */
  public boolean holds(JobId job) {
    return slots.holds(job);
  }

  /** Whether the gate remembers that this event ended a run. */
  public boolean knowsEnd(long event) {
    return past.ends().containsKey(event);
  }

  /** Whether a job without a slot may have a run. */
  public boolean isUnsure(Instant now) {
    return past.unsureUntil() != null && now.isBefore(past.unsureUntil());
  }

  /** Whether no schedule makes the gate count launches and the gate has counted none. */
  public boolean countsNothing() {
    boolean isEmpty = slots.isEmpty() && past.isNothing() && waiters == 0;
    return isEmpty && limits().stream().noneMatch(Limit::countsLaunches);
  }

  /**
   * The distinct limits that schedules set, as the gate counts them, without those that cannot be
   * read.
   */
  public List<Limit> limits() {
    return LimitTexts.limits(demands.keySet());
  }

  /** Whether a job of any schedule could pass this gate now. */
  public boolean isOpenToAny(Instant now) {
    return limitsHere().anyMatch(limits -> unmet(limits, null, now).isEmpty());
  }

  /**
   * When the gate next opens to jobs of any schedule because time passes; empty if only an event
   * opens it.
   */
  public Optional<Instant> opening(Instant now) {
    return limitsHere()
        .flatMap(limits -> unmet(limits, null, now).stream())
        .map(NotYet::checkAt)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder());
  }

  /** The limits that schedules set here. Schedules with the same limits share one entry. */
  Stream<List<Limit>> limitsHere() {
    return LimitTexts.at(key, demands.keySet());
  }

  /**
   * When the gate is checked at the latest while jobs wait, even if no event wakes it. Only the
   * slots in the gate's item are considered, because they are old enough for this.
   */
  public Instant latestCheck(Instant now) {
    Instant oldest = slots.inline().isEmpty() ? now : slots.inline().get(0).since();
    Instant latestCheck = oldest.plus(RUN_TIMEOUT).plus(SAFETY);
    return latestCheck.isAfter(now) ? latestCheck : now.plus(SAFETY);
  }

  // ---- changes

  /** The same gate, which now also knows that these jobs have slots with items of their own. */
  public Gate finding(Collection<JobId> jobs) {
    return with(version, slots.finding(jobs));
  }

  /** The same gate with the given number of slots that have items of their own. */
  public Gate counting(int apart) {
    return with(version, slots.counting(apart));
  }

  /** Counts the launch of a job. */
  public Gate taken(JobId job, Counted counted, Instant now) {
    Slots held = counted.slots() ? slots.with(new Slot(job, now)) : slots;
    return with(held, past.withLaunch(counted, now), waiters, wakeup);
  }

  /**
   * Frees the slot of a job that has ended. Returns this gate unchanged if the job holds no slot.
   */
  public Gate freed(JobId job) {
    return holds(job) ? with(version, slots.without(job)) : this;
  }

  /** Removes a counted launch that did not take place. */
  public Gate notLaunched(Instant takenAt) {
    return remembering(past.withoutLaunch(takenAt));
  }

  /**
   * Records the end of a successful run. Returns this gate unchanged if it knows of a later end.
   */
  public Gate succeeded(Instant at) {
    return remembering(past.withSuccess(at));
  }

  /** Remembers that an event ended a run. */
  public Gate endedBy(long event, Instant now) {
    return remembering(past.withEnd(event, now));
  }

  /** Records that a job without a slot may have a run, until an instant. */
  public Gate unsure(Instant until) {
    return remembering(past.withUnsure(until));
  }

  private Gate remembering(Remembered newPast) {
    return newPast.equals(past) ? this : with(slots, newPast, waiters, wakeup);
  }

  /**
   * Sets the resource's gauge as reported; null if the value is no longer known. The call also
   * wakes waiting jobs if the old value expires about now. A checker whose clock is ahead may have
   * taken that value for expired, and may have made a job wait.
   */
  public Gate reported(@Nullable Gauge report, Instant now) {
    Gate after = new Gate(key, version, slots, past, waiters, wakeup, report, demands);
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

  /** Adds a waiting job. The gate is then checked at {@code wake} at the latest. */
  public Gate joined(Instant wake, Instant now) {
    return with(slots, past, waiters + 1, wakeup).wokenBy(wake, now);
  }

  /** Removes a waiting job. */
  public Gate left() {
    int rest = Math.max(0, waiters - 1);
    return with(slots, past, rest, rest == 0 ? null : wakeup);
  }

  /** Plans a check for now if jobs wait. */
  public Gate wokenBy(Instant now) {
    return wokenBy(now, now);
  }

  private Gate wokenBy(Instant wake, Instant now) {
    boolean serves = wakeup != null && !wakeup.at().isAfter(wake);
    return waiters == 0 || serves ? this : waking(Wakeup.plan(wake, now));
  }

  /** Plans the next check; null for none, because no job waits. */
  public Gate waking(@Nullable Plan next) {
    return with(slots, past, waiters, next);
  }

  private Gate with(Slots newSlots, Remembered newPast, int newWaiters, @Nullable Plan newWakeup) {
    return new Gate(key, version, newSlots, newPast, newWaiters, newWakeup, gauge, demands);
  }

  /** Changes how many schedules set limits here. */
  public Gate demanding(Map<String, Long> changes) {
    Map<String, Long> all = DemandCounts.sum(demands, changes);
    return new Gate(key, version, slots, past, waiters, wakeup, gauge, all);
  }

  /** The gate as it is once this version is stored. */
  public Gate stored() {
    return with(version + 1, slots.stored());
  }

  private Gate with(long newVersion, Slots newSlots) {
    return new Gate(key, newVersion, newSlots, past, waiters, wakeup, gauge, demands);
  }
}
