package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.checker.Launcher.Tools;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.Patience;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.SkippedFires;
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
 * What one look has read of schedules and backfills: after its jobs are due, and right before it
 * decides. Tells which of them are wanted.
 *
 * @param heads as they are by now
 * @param unreadable whose heads cannot be read: they are not gone
 * @param gated by namespace
 * @param compiled without those whose definition cannot be read, or is another than the head's
 * @param skipped of schedules with a fire that comes so late that it may have been missed
 */
record Reading(
    Map<ScheduleId, Head> heads,
    Set<ScheduleId> unreadable,
    Map<String, GatedPrograms> gated,
    Map<ScheduleId, Compiled> compiled,
    Map<BackfillId, Backfill> backfills,
    Map<ScheduleId, List<SkippedFires>> skipped) {

  static Reading of(Tools tools, Collection<JobId> ids, Instant now) {
    Set<ScheduleId> concerned = ids.stream().map(JobId::schedule).collect(Collectors.toSet());
    Set<ScheduleId> unreadable = new HashSet<>();
    Launching read =
        UnreadableSchedules.readable(concerned, unreadable, tools.schedules()::forLaunch);
    Map<ScheduleId, Head> heads = asOf(now, read.heads());
    Map<ScheduleId, Compiled> compiled = tools.definitions().of(heads.values(), read.definitions());
    return new Reading(
        heads,
        unreadable,
        read.gated(),
        compiled,
        backfills(tools, ids),
        skipped(tools, ids, compiled, now));
  }

  static Map<ScheduleId, Head> asOf(Instant now, Map<ScheduleId, Head> stored) {
    return stored.values().stream()
        .map(head -> head.asOf(now))
        .collect(Collectors.toMap(Head::id, head -> head));
  }

  /** Read as late as the heads, and for the same reason: none may have been cancelled. */
  private static Map<BackfillId, Backfill> backfills(Tools tools, Collection<JobId> ids) {
    Set<BackfillId> concerned =
        ids.stream().flatMap(id -> id.backfill().stream()).collect(Collectors.toSet());
    return concerned.isEmpty() ? Map.of() : tools.backfills().backfills(concerned);
  }

  /** Those that were decided on up to the latest of the fires. */
  private static Map<ScheduleId, List<SkippedFires>> skipped(
      Tools tools, Collection<JobId> ids, Map<ScheduleId, Compiled> compiled, Instant now) {
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
        (schedule, fire) -> skipped.put(schedule, SkippedFires.upTo(fire, tools.jobs())));
    return skipped;
  }

  GatedPrograms programs(String namespace) {
    return gated.getOrDefault(namespace, new GatedPrograms(namespace, List.of()));
  }

  /** With what the job's own schedule asks for, which may have been stored a moment ago. */
  GatedPrograms programs(Job job) {
    return programs(job.id().schedule().namespace()).with(compiledOf(job).schedule().asks());
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
        || (isAdmitted(fire) && head.keepsFire(fire.generation(), fire.at()));
  }

  /** Whether it has to be told first whether another job of its schedule waits. */
  boolean isAdmitted(JobId fire) {
    Compiled known = compiled.get(fire.schedule());
    return fire.isFire() && known != null && known.schedule().admitsFires();
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
      throw new IllegalStateException("sorted out wrongly: " + id);
    }
    long activation =
        backfillOf(id).map(backfill -> backfill.order().activation()).orElse(head.activation());
    return NewJob.dueFire(id, activation, known.schedule().program());
  }

  boolean isGated(Job job) {
    boolean asks =
        !job.ignoresConstraints() && !compiledOf(job).schedule().asks().limits().isEmpty();
    return asks || !programs(job).gatesOf(job.program()).isEmpty();
  }

  /** Who launches by hand or fills what is suspended means it; what waited before waits on. */
  boolean isHeld(Job job) {
    Head head = heads.get(job.id().schedule());
    boolean isAsked = job.launchNow() != null || job.id().isOfBackfill();
    boolean isMeant = isAsked && head != null && job.activation() == head.activation();
    return head != null && head.holdsJobs() && !isMeant;
  }

  Compiled compiledOf(Job job) {
    Compiled known = compiled.get(job.id().schedule());
    if (known == null) {
      throw new IllegalStateException("no definition for " + job.id());
    }
    return known;
  }

  Patience patienceOf(Job job) {
    Schedule schedule = compiledOf(job).schedule();
    return new Patience(schedule, Objects.requireNonNull(heads.get(job.id().schedule())));
  }

  /** Why nobody wants the job any more; null if somebody does. */
  @Nullable ReasonCode refusal(Job row) {
    JobId id = row.id();
    Head head = heads.get(id.schedule());
    if (head == null || head.isDeleted()) {
      return ReasonCode.SCHEDULE_DELETED;
    }
    if (!head.wantsJob(id.generation(), row.activation())) {
      return head.generation() == id.generation()
          ? ReasonCode.SCHEDULE_SUSPENDED
          : ReasonCode.SCHEDULE_CHANGED;
    }
    boolean isWanted =
        !id.isOfBackfill() || backfillOf(id).filter(it -> it.launches(id)).isPresent();
    return isWanted ? null : ReasonCode.BACKFILL_CANCELLED;
  }
}
