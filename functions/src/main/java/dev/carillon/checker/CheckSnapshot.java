package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.check.Shared;
import dev.carillon.decision.JobSnapshot;
import dev.carillon.decision.JobSnapshot.GateStates;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.SkippedFires;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.timer.LookAhead;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one pass has read of schedules and backfills: after its jobs are due, and right before it
 * decides.
 *
 * @param heads as of now: a suspension that is over has ended
 * @param unreadable the schedules whose heads cannot be read: they are not gone
 * @param gated by namespace
 * @param compiled without those whose definition cannot be read, or is another than the head's
 * @param skipped of schedules with a fire that comes so late that it may have been missed
 */
record CheckSnapshot(
    Map<ScheduleId, Head> heads,
    Set<ScheduleId> unreadable,
    Map<String, GatedPrograms> gated,
    Map<ScheduleId, Compiled> compiled,
    Map<BackfillId, Backfill> backfills,
    Map<ScheduleId, List<SkippedFires>> skipped) {

  static CheckSnapshot of(
      Shared shared, Collection<JobId> ids, Collection<ScheduleId> collecting, Instant now) {
    Set<ScheduleId> concerned = ids.stream().map(JobId::schedule).collect(Collectors.toSet());
    concerned.addAll(collecting);
    Set<ScheduleId> unreadable = new HashSet<>();
    Launching read =
        UnreadableSchedules.readable(concerned, unreadable, shared.schedules()::forLaunch);
    Map<ScheduleId, Head> heads = asOf(now, read.heads());
    Map<ScheduleId, Compiled> compiled =
        shared.definitions().of(heads.values(), read.definitions());
    return new CheckSnapshot(
        heads,
        unreadable,
        read.gated(),
        compiled,
        backfills(shared, ids),
        skipped(shared, ids, compiled, now));
  }

  static Map<ScheduleId, Head> asOf(Instant now, Map<ScheduleId, Head> stored) {
    return stored.values().stream()
        .map(head -> head.asOf(now))
        .collect(Collectors.toMap(Head::id, head -> head));
  }

  /** Read as late as the heads, for the same reason: one may have been cancelled since. */
  private static Map<BackfillId, Backfill> backfills(Shared shared, Collection<JobId> ids) {
    Set<BackfillId> concerned =
        ids.stream().flatMap(id -> id.backfill().stream()).collect(Collectors.toSet());
    return concerned.isEmpty() ? Map.of() : shared.backfills().backfills(concerned);
  }

  /** Those that were decided on up to the latest of the fires. */
  private static Map<ScheduleId, List<SkippedFires>> skipped(
      Shared shared, Collection<JobId> ids, Map<ScheduleId, Compiled> compiled, Instant now) {
    Instant inTime = now.minus(LookAhead.AHEAD);
    Map<ScheduleId, JobId> latest = new HashMap<>();
    for (JobId id : ids) {
      Compiled known = compiled.get(id.schedule());
      boolean mayBeMissed =
          known != null
              && id.generation() == known.definition().generation()
              && !known.schedule().catchUp().isEverything();
      if (mayBeMissed && id.isFire() && id.at().isBefore(inTime)) {
        latest.merge(id.schedule(), id, (one, other) -> one.at().isAfter(other.at()) ? one : other);
      }
    }
    Map<ScheduleId, List<SkippedFires>> skipped = new HashMap<>();
    latest.forEach(
        (schedule, fire) -> skipped.put(schedule, SkippedFires.upTo(fire, shared.jobs())));
    return skipped;
  }

  GatedPrograms programs(String namespace) {
    return gated.getOrDefault(namespace, new GatedPrograms(namespace, List.of()));
  }

  /**
   * What a decision about one job is made from.
   *
   * @param served the gate whose waiting jobs are being let through; null for none
   */
  JobSnapshot of(Job job, @Nullable GateKey served, GateStates gates) {
    JobId id = job.id();
    ScheduleId schedule = id.schedule();
    Compiled known = compiled.get(schedule);
    GatedPrograms programs = programs(schedule.namespace());
    boolean isWanted =
        !id.isOfBackfill() || backfillOf(id).filter(it -> it.launches(id)).isPresent();
    return new JobSnapshot(
        heads.get(schedule),
        unreadable.contains(schedule),
        known,
        isWanted,
        // What its own schedule asks for may have been stored after the namespace's was read.
        known == null ? programs : programs.with(known.schedule().demands()),
        served,
        gates);
  }

  /** Whether it names a plain fire, also a backfill's, whose job may be inserted now. */
  boolean isWantedFire(JobId id) {
    Compiled known = compiled.get(id.schedule());
    return known != null
        && wantsFire(id)
        && known.schedule().trigger().isPlainTime()
        && !isPassedOver(id);
  }

  /** A backfill has decided on its fire when it took it. */
  boolean wantsFire(JobId id) {
    Head head = heads.get(id.schedule());
    if (head == null) {
      return false;
    }
    return id.isFire()
        ? isWanted(id, head)
        : backfillOf(id)
            .filter(backfill -> backfill.launches(id))
            .filter(backfill -> wantsJobs(head, backfill))
            .isPresent();
  }

  Optional<Backfill> backfillOf(JobId id) {
    return id.backfill().flatMap(backfill -> Optional.ofNullable(backfills.get(backfill)));
  }

  private static boolean wantsJobs(Head head, Backfill backfill) {
    return head.wantsJob(backfill.order().generation(), backfill.order().activation());
  }

  private boolean isWanted(JobId fire, Head head) {
    return head.wantsFire(fire.generation(), fire.at())
        || (mergesOrSkips(fire) && head.keepsFire(fire.generation(), fire.at()));
  }

  /** Whether it is merged into, or dropped for, a job of its schedule that waits. */
  boolean mergesOrSkips(JobId fire) {
    Compiled known = compiled.get(fire.schedule());
    return fire.isFire() && known != null && known.schedule().mergesOrSkipsFires();
  }

  /**
   * By the calendars as they are after it is due, so it was not for whoever looks first. But they
   * know no more than their last change: a job that the fire has already goes on.
   */
  boolean isExcluded(JobId id) {
    Compiled known = compiled.get(id.schedule());
    return id.isFire() && known != null && known.isExcluded(id.at());
  }

  /** Whether it becomes no job, unless it is one already. */
  boolean isPassedOver(JobId id) {
    return isExcluded(id) || isSkipped(id);
  }

  /**
   * Whether it was counted as missed and not made up for, by each of its leaves, although its
   * message was under way: so it is not launched as well.
   */
  private boolean isSkipped(JobId id) {
    List<SkippedFires> decided = id.isFire() ? skipped.get(id.schedule()) : null;
    Compiled known = compiled.get(id.schedule());
    return decided != null
        && !decided.isEmpty()
        && known != null
        && known.leavesFiring(id.at()).stream()
            .allMatch(
                leaf -> decided.stream().anyMatch(it -> it.leaf() == leaf && it.contains(id.at())));
  }

  Job dueFire(JobId id) {
    Head head = heads.get(id.schedule());
    Compiled known = compiled.get(id.schedule());
    if (head == null || known == null) {
      throw new IllegalStateException("no schedule for " + id);
    }
    long activation =
        backfillOf(id).map(backfill -> backfill.order().activation()).orElse(head.activation());
    return NewJob.dueFire(id, activation, known.schedule().program());
  }

  Compiled compiledOf(Job job) {
    Compiled known = compiled.get(job.id().schedule());
    if (known == null) {
      throw new IllegalStateException("no definition for " + job.id());
    }
    return known;
  }

  TimeoutPolicy timeoutsOf(Job job) {
    Schedule schedule = compiledOf(job).schedule();
    return new TimeoutPolicy(schedule, Objects.requireNonNull(heads.get(job.id().schedule())));
  }
}
