package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.check.Shared;
import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.collect.Collector;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.Requests;
import dev.carillon.report.PoolWakeups;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes wake-ups according to the kind of their subjects.
 *
 * <p>The head of a schedule is read after its jobs are due and right before the checker leases a
 * job. So nothing is launched for a schedule that was changed, suspended or deleted before the job
 * was due.
 */
public final class CheckProcessor {

  /**
   * How long a checker's lease of a job lasts. It is longer than the longest run of a function plus
   * the largest clock difference, so another checker can safely take over the job once the lease
   * has ended.
   */
  public static final Duration LEASE = Duration.ofSeconds(15);

  /** The most passes over a changing gate for one message; then another message continues. */
  private static final int MOST_GATE_PASSES = 5;

  private static final Logger LOG = LoggerFactory.getLogger(CheckProcessor.class);

  private final CheckServices services;
  private final SuspensionEnds suspensionEnds;

  CheckProcessor(
      Shared shared,
      LaunchSender sender,
      Requests requests,
      EndSender ends,
      Fanout fanout,
      InstantSource clock) {
    Collector collector = new Collector(shared.jobs(), shared.checks(), shared.updates(), clock);
    Completion completion = new Completion(shared, fanout);
    PoolWakeups pools = new PoolWakeups(shared, clock);
    this.services =
        new CheckServices(
            shared,
            sender,
            requests,
            pools,
            new PoolPatterns(),
            collector,
            completion,
            ends,
            fanout,
            clock);
    this.suspensionEnds = new SuspensionEnds(shared, collector, completion, clock);
  }

  /**
   * The result of a pass, and the work that it left for later.
   *
   * @param followUps the wake-ups to send before the message is acknowledged
   * @param hasGated whether {@code gated} has jobs to launch
   * @param gated launches the due jobs that concern gates, after all other jobs of all messages;
   *     returns further wake-ups to send before the message is acknowledged
   * @param hasDeferred whether {@code deferred} does more than throw the failures of the pass
   * @param deferred work that no due job waits for; throws if any step of the pass failed, so that
   *     the whole pass is repeated
   */
  record Processed(
      Map<Subject, Instant> followUps,
      boolean hasGated,
      Function<Deadline, Map<Subject, Instant>> gated,
      boolean hasDeferred,
      Runnable deferred) {}

  /**
   * Processes each job, run, collecting job and suspension end as far as possible now. If one
   * fails, the others are still processed.
   *
   * @param earliest an instant that has come, even if the clock has stepped back to before it
   */
  Processed process(List<Wakeup> wakeups, Instant earliest) {
    Map<Subject, Instant> followUps = new LinkedHashMap<>();
    IndependentSteps steps = new IndependentSteps();
    List<JobId> jobs = new ArrayList<>();
    Set<RunId> runs = new LinkedHashSet<>();
    Map<ScheduleId, Instant> collecting = new LinkedHashMap<>();
    Map<SuspensionEnd, Instant> ends = new LinkedHashMap<>();
    for (Wakeup wakeup : wakeups) {
      if (wakeup.subject() instanceof JobId job) {
        jobs.add(job);
      } else if (wakeup.subject() instanceof RunId run) {
        runs.add(run);
      } else if (wakeup.subject() instanceof CollectingJobId job) {
        collecting.put(job.schedule(), wakeup.at());
      } else {
        ends.put((SuspensionEnd) wakeup.subject(), wakeup.at());
      }
    }
    boolean hasJobs = !jobs.isEmpty() || !runs.isEmpty() || !collecting.isEmpty();
    CheckPass pass = hasJobs ? new CheckPass(services, jobs, runs, collecting, earliest) : null;
    if (pass != null) {
      pass.launch(jobs, collecting);
      followUps.putAll(pass.followUps().take(services.shared().jobs()));
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
    return new Processed(
        followUps,
        pass != null && pass.hasGated(),
        deadline -> pass == null ? Map.of() : launchGated(pass, deadline),
        pass != null && pass.hasDeferred(),
        deferred);
  }

  private Map<Subject, Instant> launchGated(CheckPass pass, Deadline deadline) {
    pass.launchGated(deadline);
    return pass.followUps().take(services.shared().jobs());
  }

  /** Like {@link #process}, with the jobs that concern gates and the deferred work. */
  Map<Subject, Instant> processWhole(List<Wakeup> wakeups, Deadline deadline) {
    Processed processed = process(wakeups, Instant.MIN);
    Map<Subject, Instant> followUps = new LinkedHashMap<>(processed.followUps());
    if (processed.hasGated()) {
      followUps.putAll(processed.gated().apply(deadline));
    }
    processed.deferred().run();
    return followUps;
  }

  private Map<Subject, Instant> processJobs(List<JobId> ids, Deadline deadline) {
    return processWhole(ids.stream().map(id -> new Wakeup(id, id.at())).toList(), deadline);
  }

  /**
   * Fills the queue of a pool.
   *
   * @return the wake-ups to send before the message is acknowledged
   * @throws RuntimeException if any step failed; the whole pass can be repeated
   */
  Map<Subject, Instant> choose(PoolId pool, Deadline deadline) {
    PoolPass pass = new PoolPass(services, pool);
    try {
      return pass.run(deadline);
    } catch (UnreadableItems damaged) {
      LOG.warn("the pool {} cannot choose; the master will repeat the check", pool, damaged);
      return pass.followUps();
    }
  }

  /**
   * Lets the waiting jobs of a gate through while it has free slots: the most urgent first, then
   * the oldest. A job that cannot launch for another reason does not hold up the jobs behind it.
   *
   * @throws RuntimeException if any step failed; the whole pass can be repeated
   */
  Processed serve(Wakeup wakeup, Deadline deadline) {
    GateKey gate = (GateKey) wakeup.subject();
    Map<Subject, Instant> followUps = new LinkedHashMap<>();
    Set<Exhausted> exhausted = new LinkedHashSet<>();
    boolean isComplete = false;
    for (int passes = 0;
        !isComplete && passes < MOST_GATE_PASSES && !deadline.hasPassed();
        passes++) {
      isComplete = new GatePass(services, gate, wakeup.at(), followUps, exhausted).serve(deadline);
    }
    Instant now = services.clock().instant();
    if (!isComplete) {
      followUps.put(gate, now);
    }
    return new Processed(
        followUps,
        false,
        any -> Map.of(),
        !exhausted.isEmpty(),
        () -> services.completion().complete(List.copyOf(exhausted), now));
  }

  /**
   * Continues a backfill: counts its jobs that have ended, and launches the jobs of further fires.
   *
   * @return the wake-ups to send before the message is acknowledged
   */
  Map<Subject, Instant> proceed(BackfillId backfill, Deadline deadline) {
    return new BackfillPass(services, backfill).proceed(deadline);
  }

  /** The jobs of a backfill that it has not counted as ended, to be checked now. */
  Map<Subject, Instant> openJobs(BackfillId id) {
    Map<Subject, Instant> open = new LinkedHashMap<>();
    Backfill backfill = services.shared().backfills().backfills(List.of(id)).get(id);
    if (backfill != null) {
      backfill.openJobs().forEach(job -> open.put(job, services.clock().instant()));
    }
    return open;
  }

  /**
   * Records in a job that its checks keep failing, and postpones the job. A job that another
   * checker leases, or whose request was sent, stays unchanged: otherwise its request would be sent
   * twice.
   *
   * @return the wake-ups to send before the message is acknowledged
   */
  Map<Subject, Instant> setAside(JobId id, Deadline deadline) {
    CheckPass pass = CheckPass.ofJobs(services, List.of(id));
    FollowUps followUps = pass.followUps();
    Job job = services.shared().jobs().find(List.of(id)).get(id);
    if (job == null && !pass.snapshot().isWantedFire(id)) {
      return processJobs(List.of(id), deadline);
    }
    if (job != null && (isLaunched(job) || job.isBeingLaunched(pass.now()))) {
      followUps.leaveToOther(job);
      pass.runDeferred();
      return followUps.wakeups();
    }
    Reason reason = Reason.of(ReasonCode.CHECKS_FAILED, Checker.SUSPECT_RECEIVES);
    Job refused = refused(pass, job == null ? pass.snapshot().dueFire(id) : job, reason);
    Optional<Job> other = store(pass, job, refused);
    other.ifPresent(followUps::lostRace);
    if (other.isEmpty() && refused.notBefore() != null) {
      followUps.add(id, refused.notBefore());
    }
    pass.send();
    return followUps.wakeups();
  }

  private static boolean isLaunched(Job job) {
    return job.isEnded() || job.isRunning();
  }

  /** The postponed job. If its definition can be read, its next check is not after its time-out. */
  private static Job refused(CheckPass pass, Job job, Reason reason) {
    return pass.snapshot().compiled().containsKey(job.id().schedule())
        ? job.refused(pass.now(), reason, pass.snapshot().timeoutsOf(job))
        : job.refused(pass.now(), reason);
  }

  /**
   * Stores the postponed job.
   *
   * @return the job that another writer has stored first; empty if there is none
   */
  private Optional<Job> store(CheckPass pass, @Nullable Job before, Job aside) {
    if (before == null) {
      return services.shared().jobs().insert(List.of(aside)).get(0);
    }
    Update update = new Update(before, aside);
    if (!LaunchSender.concernsGates(update)) {
      return services.shared().jobs().update(List.of(update)).get(0);
    }
    return pass.gates().leave(before, aside, false, pass.now())
            instanceof GateTransactions.Lost lost
        ? Optional.of(lost.present())
        : Optional.empty();
  }
}
