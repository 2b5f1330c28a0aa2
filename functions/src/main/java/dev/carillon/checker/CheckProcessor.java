package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.check.Shared;
import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.collect.Collector;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Processes wake-ups, by the kind of their subjects.
 *
 * <p>Heads are read after jobs are due and right before a job is taken to PENDING_LAUNCH, so
 * nothing is launched for a schedule that was changed, suspended or deleted before the job was due.
 */
public final class CheckProcessor {

  /**
   * How long a checker holds a job that it launches: longer than a function runs, by what clocks
   * may differ, so that another checker may take over a job whose lease has ended.
   */
  public static final Duration LEASE = Duration.ofSeconds(15);

  /** The passes over a gate that is changed all the time before another message goes on with it. */
  private static final int MOST_GATE_PASSES = 5;

  private final CheckServices services;
  private final SuspensionEnds suspensionEnds;

  CheckProcessor(Shared shared, LaunchSender sender, Fanout fanout, InstantSource clock) {
    Collector collector = new Collector(shared.jobs(), shared.checks(), shared.updates(), clock);
    Completion completion = new Completion(shared, fanout);
    this.services = new CheckServices(shared, sender, collector, completion, fanout, clock);
    this.suspensionEnds = new SuspensionEnds(shared, collector, clock);
  }

  /**
   * What a pass has done, and what is left of it.
   *
   * @param followUps the wake-ups to send before the message is acknowledged
   * @param hasDeferred whether the rest is more than to report what has failed
   * @param deferred what nothing that is due waits for; throws if anything of the pass is unknown,
   *     so that all of it is repeated
   */
  record Processed(Map<Subject, Instant> followUps, boolean hasDeferred, Runnable deferred) {}

  /**
   * Does for each job, collecting job and end of a suspension what can be done now. A failure of
   * one does not keep the others from being processed.
   */
  Processed process(List<Wakeup> wakeups) {
    Map<Subject, Instant> followUps = new LinkedHashMap<>();
    IndependentSteps steps = new IndependentSteps();
    List<JobId> jobs = new ArrayList<>();
    Map<ScheduleId, Instant> collecting = new LinkedHashMap<>();
    Map<SuspensionEnd, Instant> ends = new LinkedHashMap<>();
    for (Wakeup wakeup : wakeups) {
      if (wakeup.subject() instanceof JobId job) {
        jobs.add(job);
      } else if (wakeup.subject() instanceof CollectingJobId job) {
        collecting.put(job.schedule(), wakeup.at());
      } else {
        ends.put((SuspensionEnd) wakeup.subject(), wakeup.at());
      }
    }
    CheckPass pass =
        jobs.isEmpty() && collecting.isEmpty() ? null : new CheckPass(services, jobs, collecting);
    if (pass != null) {
      pass.launch(jobs, collecting);
      followUps.putAll(pass.followUps().wakeups());
    }
    ends.forEach(
        (end, came) -> steps.run(() -> followUps.putAll(suspensionEnds.process(end, came))));
    Runnable deferred =
        () -> {
          if (pass != null) {
            steps.run(pass::runDeferred);
          }
          steps.rethrow();
        };
    return new Processed(followUps, pass != null && pass.hasDeferred(), deferred);
  }

  /** As {@link #process}, with what is deferred. */
  Map<Subject, Instant> processWhole(List<Wakeup> wakeups) {
    Processed processed = process(wakeups);
    processed.deferred().run();
    return processed.followUps();
  }

  private Map<Subject, Instant> processJobs(List<JobId> ids) {
    return processWhole(ids.stream().map(id -> new Wakeup(id, id.at())).toList());
  }

  /**
   * Lets through the jobs that wait at a gate, as many as it takes: the most urgent first, then the
   * oldest. One that cannot go for another reason does not hold up the next.
   *
   * @throws RuntimeException if anything is unknown; the whole pass may be repeated
   */
  Processed serve(GateKey gate, Deadline deadline) {
    Map<Subject, Instant> followUps = new LinkedHashMap<>();
    Set<Exhausted> exhausted = new LinkedHashSet<>();
    boolean isComplete = false;
    for (int passes = 0;
        !isComplete && passes < MOST_GATE_PASSES && !deadline.hasPassed();
        passes++) {
      isComplete = new GatePass(services, gate, followUps, exhausted).serve(deadline);
    }
    Instant now = services.clock().instant();
    if (!isComplete) {
      followUps.put(gate, now);
    }
    return new Processed(
        followUps,
        !exhausted.isEmpty(),
        () -> services.completion().complete(List.copyOf(exhausted), now));
  }

  /**
   * Goes on with a backfill: counts its jobs that are over, and launches those of further fires.
   *
   * @return the wake-ups to send before the message is acknowledged
   */
  Map<Subject, Instant> proceed(BackfillId backfill, Deadline deadline) {
    return new BackfillPass(services, backfill, this::processJobs).proceed(deadline);
  }

  /** The jobs of a backfill that it has not counted as over, to be checked now. */
  Map<Subject, Instant> openJobs(BackfillId id) {
    Map<Subject, Instant> open = new LinkedHashMap<>();
    Backfill backfill = services.shared().backfills().backfills(List.of(id)).get(id);
    if (backfill != null) {
      backfill.openJobs().forEach(job -> open.put(job, services.clock().instant()));
    }
    return open;
  }

  /**
   * Gives a job whose checks fail again and again a row that says so, and time; but not while
   * another checker holds it, or when its request was sent: it would be sent again.
   *
   * @return as {@link #proceed}
   */
  Map<Subject, Instant> setAside(JobId id) {
    CheckPass pass = new CheckPass(services, List.of(id), Map.of());
    FollowUps followUps = pass.followUps();
    Job job = services.shared().jobs().find(List.of(id)).get(id);
    if (job == null && !pass.snapshot().isWantedFire(id)) {
      return processJobs(List.of(id));
    }
    if (job != null && (isLaunched(job) || job.isBeingLaunched(pass.now()))) {
      followUps.leaveToOther(job);
      pass.runDeferred();
      return followUps.wakeups();
    }
    Reason reason = Reason.of(ReasonCode.CHECKS_FAILED, Checker.SUSPECT_RECEIVES);
    Job refused = refused(pass, job == null ? pass.snapshot().dueFire(id) : job, reason);
    Optional<Job> other = store(pass, job, refused);
    other.ifPresent(followUps::leaveToOther);
    if (other.isEmpty() && refused.notBefore() != null) {
      followUps.add(id, refused.notBefore());
    }
    pass.send();
    return followUps.wakeups();
  }

  private static boolean isLaunched(Job job) {
    return job.isEnded() || job.state() == JobState.ENQUEUED;
  }

  /** The next try is not later than the job's time-out, if its definition can be read. */
  private static Job refused(CheckPass pass, Job job, Reason reason) {
    return pass.snapshot().compiled().containsKey(job.id().schedule())
        ? job.refused(pass.now(), reason, pass.snapshot().timeoutsOf(job))
        : job.refused(pass.now(), reason);
  }

  /** Empty if it was stored, else the job as it is. */
  private Optional<Job> store(CheckPass pass, @Nullable Job before, Job aside) {
    if (before == null) {
      return services.shared().jobs().insert(List.of(aside)).get(0);
    }
    if (!before.hasStakeInGates()) {
      return services.shared().jobs().update(List.of(new Update(before, aside))).get(0);
    }
    return pass.gates().leave(before, aside, false) instanceof GateTransactions.Lost lost
        ? Optional.of(lost.present())
        : Optional.empty();
  }
}
