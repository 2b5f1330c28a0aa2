package dev.carillon.campaign;

import dev.carillon.app.Apps;
import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.master.AuditProgress;
import dev.carillon.master.StatusStore;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.pool.Pools;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.UnreadableSchedules;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Ports that treat items that cannot be read as the mutations want. */
final class UnreadablePorts {

  private UnreadablePorts() {}

  /** A read of several schedules fails without saying which of them cannot be read. */
  static Schedules failingTogether(Schedules real) {
    return Around.of(Schedules.class, real)
        .replace("heads", arguments -> together(arguments, real::heads))
        .replace("recentHeads", arguments -> together(arguments, real::recentHeads))
        .replace("forLaunch", arguments -> together(arguments, real::forLaunch))
        .port();
  }

  private static Object together(
      Object[] arguments, Function<Collection<ScheduleId>, Object> read) {
    try {
      return read.apply(ids(arguments));
    } catch (UnreadableSchedules damaged) {
      throw new IllegalStateException("an item of the batch cannot be read", damaged);
    }
  }

  /** Schedules that cannot be read are left out, as if they did not exist. */
  static Schedules absent(Schedules real) {
    return Around.of(Schedules.class, real)
        .replace("heads", arguments -> readable(arguments, real::heads))
        .replace("recentHeads", arguments -> readable(arguments, real::recentHeads))
        .replace("forLaunch", arguments -> readable(arguments, real::forLaunch))
        .port();
  }

  private static Object readable(
      Object[] arguments, Function<Collection<ScheduleId>, Object> read) {
    return UnreadableSchedules.readable(ids(arguments), new HashSet<>(), read);
  }

  @SuppressWarnings("unchecked")
  private static Collection<ScheduleId> ids(Object[] arguments) {
    return (Collection<ScheduleId>) arguments[0];
  }

  /** Schedules that cannot be read are never replaced. */
  static Schedules staying(Schedules real) {
    return Around.of(Schedules.class, real).replace("overwrite", arguments -> false).port();
  }

  /** An app that cannot be read is never replaced. */
  static Apps stayingApps(Apps real) {
    return Around.of(Apps.class, real).replace("overwrite", arguments -> false).port();
  }

  /** A gate that cannot be read is never replaced. */
  static Gates stayingGates(Gates real) {
    return Around.of(Gates.class, real).replace("overwrite", arguments -> false).port();
  }

  /** A collecting job that cannot be read counts as replaced. */
  static Jobs stayingCollectingJobs(Jobs real) {
    return Around.of(Jobs.class, real).replace("overwrite", arguments -> true).port();
  }

  /** Ticks never replace what they cannot read of their progress and of the audit. */
  static final class StayingStatus implements Tampering {
    private boolean hasProgress;
    private boolean hasAudit;

    @Override
    public StatusStore status(FunctionName function, StatusStore real) {
      return Around.of(StatusStore.class, real)
          .replace("advance", arguments -> advance(real, (Instant) arguments[0]))
          .replace(
              "saveAudit",
              arguments -> saveAudit(real, (Status) arguments[0], (AuditProgress) arguments[1]))
          .port();
    }

    private boolean advance(StatusStore real, Instant lastProcessedTime) {
      if (hasProgress && real.read().isEmpty()) {
        return false;
      }
      hasProgress = true;
      real.advance(lastProcessedTime);
      return true;
    }

    private boolean saveAudit(StatusStore real, Status before, AuditProgress after) {
      if (hasAudit && before.audit() == null) {
        return false;
      }
      hasAudit = true;
      return real.saveAudit(before, after);
    }
  }

  /** What pools know of their choices is never replaced. */
  static Pools stayingPools(Pools real) {
    return Around.of(Pools.class, real).replace("repair", arguments -> true).port();
  }

  /** Jobs that cannot be read are left out, and their writes count as made. */
  static Jobs absentJobs(Jobs real) {
    return Around.of(Jobs.class, real)
        .replace("find", arguments -> readableJobs(real, arguments))
        .replace("insert", arguments -> outcomes(() -> real.insert(Around.list(arguments[0]))))
        .replace("update", arguments -> outcomes(() -> real.update(Around.list(arguments[0]))))
        .port();
  }

  @SuppressWarnings("unchecked")
  private static Map<JobId, Job> readableJobs(Jobs real, Object[] arguments) {
    Collection<JobId> ids = (Collection<JobId>) arguments[0];
    try {
      return real.find(ids);
    } catch (UnreadableJobs damaged) {
      return real.find(ids.stream().filter(id -> !damaged.ids().contains(id)).toList());
    }
  }

  private static Object outcomes(Supplier<Object> write) {
    try {
      return write.get();
    } catch (UnreadableJobs damaged) {
      return damaged.outcomes();
    }
  }
}
