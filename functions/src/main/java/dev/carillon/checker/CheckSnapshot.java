package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.check.Shared;
import dev.carillon.decision.JobPools;
import dev.carillon.decision.JobSnapshot;
import dev.carillon.gate.GateDemands;
import dev.carillon.gate.GateStates;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Callback;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.UnreadableSchedules;
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
 * The schedules and backfills of the jobs of one pass. The pass reads them after its jobs are due,
 * and right before it decides on the jobs.
 *
 * @param heads the heads as of now: a suspension whose planned end has passed counts as ended
 * @param unreadable the schedules whose head, or one of whose skipped fires, exists but cannot be
 *     read
 * @param unreadableBackfills the backfills that exist but cannot be read
 * @param limited which programs can have limits, by namespace
 * @param compiled the definitions, without those that cannot be read or do not match the head
 */
record CheckSnapshot(
    Map<ScheduleId, Head> heads,
    Set<ScheduleId> unreadable,
    Set<BackfillId> unreadableBackfills,
    Map<String, LimitedPrograms> limited,
    Map<ScheduleId, Compiled> compiled,
    Map<BackfillId, Backfill> backfills,
    PassedOverFires passedOver) {

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
    Set<BackfillId> unreadableBackfills = new HashSet<>();
    return new CheckSnapshot(
        heads,
        unreadable,
        unreadableBackfills,
        read.limited(),
        compiled,
        backfills(shared, ids, unreadableBackfills),
        PassedOverFires.read(shared.jobs(), ids, compiled, unreadable, now));
  }

  static Map<ScheduleId, Head> asOf(Instant now, Map<ScheduleId, Head> stored) {
    return stored.values().stream()
        .map(head -> head.asOf(now))
        .collect(Collectors.toMap(Head::id, head -> head));
  }

  /**
   * The backfills are read as late as the heads, because a backfill may have been cancelled since
   * its job became due.
   */
  private static Map<BackfillId, Backfill> backfills(
      Shared shared, Collection<JobId> ids, Set<BackfillId> unreadable) {
    Set<BackfillId> concerned =
        ids.stream().flatMap(id -> id.backfill().stream()).collect(Collectors.toSet());
    return concerned.isEmpty()
        ? Map.of()
        : UnreadableItems.readable(concerned, unreadable, shared.backfills()::backfills);
  }

  /**
   * Whether an item that the decision on the job needs exists but cannot be read. Such a job is
   * checked later.
   */
  boolean isUnreadable(JobId id) {
    return unreadable.contains(id.schedule())
        || id.backfill().filter(unreadableBackfills::contains).isPresent();
  }

  /**
   * The state on which the decision about a job depends.
   *
   * @param served the gate or pool whose waiting jobs are being let through; null for none
   */
  JobSnapshot of(Job job, @Nullable Subject served, JobPools pools, GateStates gates) {
    JobId id = job.id();
    ScheduleId schedule = id.schedule();
    Compiled known = compiled.get(schedule);
    boolean isWanted =
        !id.isOfBackfill() || backfillOf(id).filter(it -> it.launches(id)).isPresent();
    return new JobSnapshot(
        heads.get(schedule),
        isUnreadable(id),
        known,
        isWanted,
        programsOf(job, gates),
        served,
        pools,
        gates);
  }

  /** Whether the job waits at a gate, is counted by a gate, or must pass a gate of its schedule. */
  boolean concernsGates(Job job) {
    Compiled known = compiled.get(job.id().schedule());
    return job.waitsAt() != null
        || job.hasStakeInGates()
        || (known != null && !known.schedule().constraints().atGates().isEmpty());
  }

  /** The gate that shows whether other schedules limit the job's program; empty if none can. */
  Optional<GateKey> gateOfOthers(Job job) {
    String namespace = job.id().schedule().namespace();
    return limited.getOrDefault(namespace, LimitedPrograms.NONE).canInclude(job.program())
        ? Optional.of(GateKey.ofProgram(namespace, job.program()))
        : Optional.empty();
  }

  /** The gates that count the launches of the job's program by their instants. */
  Map<GateKey, Counted> rates(Job job, GateStates gates) {
    Map<GateKey, Counted> rates = new HashMap<>();
    programsOf(job, gates)
        .gatesOf(job.program())
        .forEach(
            (gate, counted) -> {
              if (counted.launches() > 0) {
                rates.put(gate, counted.rate());
              }
            });
    return rates;
  }

  private GatedPrograms programsOf(Job job, GateStates gates) {
    String namespace = job.id().schedule().namespace();
    Compiled known = compiled.get(job.id().schedule());
    GateDemands own =
        known == null ? new GateDemands(job.program(), List.of()) : known.schedule().demands();
    return new GatedPrograms(
        namespace, limited.getOrDefault(namespace, LimitedPrograms.NONE), gates, own);
  }

  /**
   * Whether the id names a fire whose job can be inserted now. This is so for fires of schedules
   * that have only time leaves, and for fires of backfills.
   */
  boolean isWantedFire(JobId id) {
    Compiled known = compiled.get(id.schedule());
    return known != null
        && wantsFire(id)
        && known.schedule().trigger().isPlainTime()
        && !isPassedOver(id);
  }

  /**
   * Whether the schedule or backfill wants a job for this fire. A backfill decides on a fire when
   * it takes the fire.
   */
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

  /** Whether a fire is merged into a waiting job of its schedule, or skipped because of it. */
  boolean mergesOrSkips(JobId fire) {
    Compiled known = compiled.get(fire.schedule());
    return fire.isFire() && known != null && known.schedule().mergesOrSkipsFires();
  }

  /** Whether the fire gets no new job. A job that it already has goes on. */
  boolean isPassedOver(JobId id) {
    return passedOver.contains(id);
  }

  Job dueFire(JobId id) {
    Head head = heads.get(id.schedule());
    Compiled known = compiled.get(id.schedule());
    if (head == null || known == null) {
      throw new IllegalStateException("no schedule for " + id);
    }
    long activation =
        backfillOf(id).map(backfill -> backfill.order().activation()).orElse(head.activation());
    Job due = NewJob.dueFire(id, activation, known.schedule().program());
    return Callback.wantedBy(known.schedule(), due);
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
