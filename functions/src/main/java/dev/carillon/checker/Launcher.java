package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.collect.Collector;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Patience;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes due jobs to PENDING_LAUNCH, each by one conditional write, and has them sent.
 *
 * <p>The heads are read after the jobs are due and right before that write, so nothing is launched
 * for a schedule that had been changed, suspended or deleted before it was due.
 */
public final class Launcher {

  /**
   * How long a launcher holds a job: longer than a function lives, by what clocks may differ, so
   * that whoever finds it expired may take the job over.
   */
  public static final Duration LEASE = Duration.ofSeconds(15);

  /** After which what could not be read, or was of another generation than the head, is tried. */
  static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(1);

  /** The looks at a gate that is changed all the time before another message takes it up. */
  private static final int MOST_LOOKS_AT_GATE = 5;

  private final Tools tools;

  /** What looks are made with. */
  record Tools(
      Schedules schedules,
      CompiledSchedules definitions,
      Jobs jobs,
      Backfills backfills,
      Gates gates,
      Gatekeeper gatekeeper,
      Sending sending,
      Collector collector,
      Completion completion,
      Turns turns,
      Fanout fanout,
      InstantSource clock) {}

  Launcher(Shared shared, Sending sending, Fanout fanout, InstantSource clock) {
    Schedules schedules = shared.schedules();
    Jobs jobs = shared.jobs();
    Collector collector = new Collector(jobs, shared.checks(), clock);
    this.tools =
        new Tools(
            schedules,
            shared.definitions(),
            jobs,
            shared.backfills(),
            shared.gates(),
            new Gatekeeper(shared.gates(), jobs),
            sending,
            collector,
            new Completion(schedules, jobs, shared.backfills(), fanout),
            new Turns(shared, collector, clock),
            fanout,
            clock);
  }

  /** A job that this launcher holds, with what it launches and how long that waits. */
  record Launch(Compiled compiled, Patience patience, Job job) {}

  /**
   * What a look has done, and what is left of it.
   *
   * @param again what somebody has to look at again for the look to count as done, and when
   * @param hasRest whether there is more to do than to tell what has failed
   * @param rest what nothing that is due waits for; throws if anything of the look is unknown, so
   *     that all of it may be repeated
   */
  record Seen(Map<Subject, Instant> again, boolean hasRest, Runnable rest) {}

  /** Does for each job what can be done now. What fails by itself fails with the rest. */
  Seen see(List<JobId> ids) {
    Map<Subject, Instant> again = new LinkedHashMap<>();
    Apart apart = new Apart();
    List<JobId> turns = ids.stream().filter(JobId::isTurn).toList();
    List<JobId> jobs = ids.stream().filter(id -> !id.isTurn()).toList();
    Look look = jobs.isEmpty() ? null : new Look(tools, jobs);
    if (look != null) {
      look.launch();
      again.putAll(look.again());
    }
    turns.forEach(turn -> apart.take(() -> again.putAll(tools.turns().see(turn))));
    Runnable rest =
        () -> {
          if (look != null) {
            apart.take(look::seeToRest);
          }
          apart.requireAll();
        };
    return new Seen(again, look != null && look.hasRest(), rest);
  }

  private Map<Subject, Instant> seeAll(List<JobId> ids) {
    Seen seen = see(ids);
    seen.rest().run();
    return seen.again();
  }

  /**
   * Lets those go that wait at a gate, as many as it lets through: the most urgent first, then the
   * oldest. One that cannot go for another reason does not hold up the next.
   *
   * @throws RuntimeException if anything is unknown; the whole look may be repeated
   */
  Seen lookAt(GateKey gate, Deadline deadline) {
    Map<Subject, Instant> again = new LinkedHashMap<>();
    Set<Exhausted> exhausted = new LinkedHashSet<>();
    boolean isComplete = false;
    for (int looks = 0;
        !isComplete && looks < MOST_LOOKS_AT_GATE && !deadline.hasPassed();
        looks++) {
      isComplete = new GateLook(tools, gate, again, exhausted).isComplete(deadline);
    }
    if (!isComplete) {
      again.put(gate, tools.clock().instant());
    }
    Instant now = tools.clock().instant();
    return new Seen(
        again,
        !exhausted.isEmpty(),
        () -> tools.completion().complete(List.copyOf(exhausted), now));
  }

  /**
   * Goes on with a backfill: counts its jobs that are over, and launches those of further fires.
   *
   * @return what somebody has to look at again for this look to count as done, and when
   */
  Map<Subject, Instant> lookAt(BackfillId backfill, Deadline deadline) {
    return new BackfillLook(tools, backfill, this::seeAll).proceed(deadline);
  }

  /** The jobs of a backfill that were not seen to be over, to be looked at now. */
  Map<Subject, Instant> openJobs(BackfillId id) {
    Map<Subject, Instant> open = new LinkedHashMap<>();
    Backfill backfill = tools.backfills().backfills(List.of(id)).get(id);
    if (backfill != null) {
      backfill.openJobs().forEach(job -> open.put(job, tools.clock().instant()));
    }
    return open;
  }

  /**
   * Gives a job whose checks fail again and again a row that says so, and time; but not while
   * another launcher holds it, or when it has been sent: then it would be sent anew.
   *
   * @return as for a backfill
   */
  Map<Subject, Instant> setAside(JobId id) {
    Look look = new Look(tools, List.of(id));
    Job job = tools.jobs().find(List.of(id)).get(id);
    if (job == null && !look.reading().isWantedFire(id)) {
      return seeAll(List.of(id));
    }
    if (job != null && (isLaunched(job) || job.isBeingLaunched(look.now()))) {
      look.leaveToOther(job);
      look.seeToRest();
      return look.again();
    }
    Reason reason = Reason.of(ReasonCode.CHECKS_FAILED, Checker.SUSPECT_RECEIVES);
    Job aside = look.refused(job == null ? look.reading().dueFire(id) : job, reason);
    Optional<Job> other = stored(look, job, aside);
    other.ifPresent(look::leaveToOther);
    if (other.isEmpty() && aside.notBefore() != null) {
      look.again().put(id, aside.notBefore());
    }
    look.finish();
    return look.again();
  }

  private static boolean isLaunched(Job job) {
    return job.isEnded() || job.state() == JobState.ENQUEUED;
  }

  private Optional<Job> stored(Look look, @Nullable Job before, Job aside) {
    if (before == null) {
      return tools.jobs().insert(List.of(aside)).get(0);
    }
    return before.hasStakeInGates()
        ? look.leave(before, aside)
        : tools.jobs().update(List.of(new Update(before, aside))).get(0);
  }

  /** Whether a delayed message carries a look to its second; later ones the master sends. */
  static boolean isInMessage(Instant lookAt, Instant now) {
    return !lookAt.isAfter(now.plusSeconds(CheckQueue.LONGEST_DELAY_SECONDS));
  }
}
