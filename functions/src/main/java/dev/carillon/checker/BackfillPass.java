package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.State;
import dev.carillon.check.Shared;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over a backfill: counts its jobs that have ended, takes further fires in one conditional
 * write, and only then launches their jobs. If a checker crashes before it launches a job, the
 * backfill names a job without an item, and the next pass launches that job.
 */
final class BackfillPass {

  /**
   * After this many jobs, another message continues the backfill, so that the other subjects of the
   * current message do not wait.
   */
  private static final int MOST_AT_ONCE = 20;

  private static final Logger LOG = LoggerFactory.getLogger(BackfillPass.class);

  private final CheckServices services;
  private final Shared shared;
  private final BackfillId id;
  private final Map<Subject, Instant> followUps = new LinkedHashMap<>();

  BackfillPass(CheckServices services, BackfillId id) {
    this.services = services;
    this.shared = services.shared();
    this.id = id;
  }

  /** The backfill to store, and the jobs to check after it is stored. */
  private record Step(Backfill after, List<JobId> checked) {}

  /**
   * Repeats passes until all open jobs of the backfill are under way, or until this message has
   * launched enough jobs.
   *
   * @return the wake-ups to send before the message is acknowledged
   */
  Map<Subject, Instant> proceed(Deadline deadline) {
    try {
      repeat(deadline);
    } catch (UnreadableItems | UnreadableSchedules damaged) {
      LOG.warn("the backfill {} cannot proceed; it is checked again", id, damaged);
      FollowUps undecided = new FollowUps(services.clock().instant());
      undecided.addUnreadable(id);
      followUps.putAll(undecided.take(shared.jobs()));
    }
    return followUps;
  }

  private void repeat(Deadline deadline) {
    int begun = 0;
    while (true) {
      Step step = shared.updates().run(id, this::attempt).orElse(null);
      if (step == null) {
        return;
      }
      if (step.after().hasEnded()) {
        completeSchedule();
      }
      begun += step.checked().size();
      check(step.checked(), deadline);
      if (begun >= MOST_AT_ONCE || deadline.hasPassed() || !isDueNow()) {
        return;
      }
      followUps.remove(id);
    }
  }

  /**
   * Checks open jobs. The next pass checks those that cannot be decided on again: at most 80 s
   * later, or an hour later if only READY jobs are left. If each pass added checks of these jobs,
   * their number would grow.
   */
  private void check(List<JobId> jobs, Deadline deadline) {
    if (!jobs.isEmpty()) {
      CheckPass pass = CheckPass.ofJobs(services, jobs);
      pass.launch(jobs, Map.of());
      pass.launchGated(deadline);
      followUps.putAll(pass.followUps().ofReadable());
      pass.runDeferred();
    }
  }

  /** One pass, to be stored; empty if the backfill does not exist. */
  private Attempt<Optional<Step>> attempt() {
    Backfill stored = shared.backfills().backfills(List.of(id)).get(id);
    if (stored == null) {
      return Attempt.done(Optional.empty());
    }
    if (stored.hasEnded()) {
      return Attempt.done(Optional.of(new Step(stored, List.of())));
    }
    Step step = step(stored);
    boolean isStored =
        step.after().equals(stored)
            || shared.backfills().saveBackfill(stored, step.after().stored());
    return Attempt.of(isStored, Optional.of(step));
  }

  /**
   * Ends the schedule if it is exhausted. An unfinished backfill keeps its schedule from being
   * deleted, so the end of the backfill can allow the deletion.
   */
  private void completeSchedule() {
    Instant now = services.clock().instant();
    Map<ScheduleId, Head> heads =
        CheckSnapshot.asOf(now, shared.schedules().heads(List.of(id.schedule())));
    services
        .completion()
        .complete(Completion.among(heads, shared.definitions().of(heads.values()), now), now);
  }

  private boolean isDueNow() {
    Instant next = followUps.get(id);
    return next != null && !next.isAfter(services.clock().instant());
  }

  private Step step(Backfill stored) {
    Instant now = services.clock().instant();
    Set<JobId> unreadable = new HashSet<>();
    Map<JobId, Job> found =
        new LinkedHashMap<>(
            UnreadableJobs.readable(stored.openJobs(), unreadable, shared.jobs()::find));
    // The head is read after the jobs. So it shows each change that has cancelled one of the jobs.
    Head head = shared.schedules().heads(List.of(id.schedule())).get(id.schedule());
    ReasonCode refusal = refusal(stored, head);
    if (refusal != null) {
      cancelWithoutItem(stored, found, unreadable, now, refusal);
    }
    Backfill counted = stored.withEnded(found.values());
    Compiled compiled = refusal == null ? compiled(head) : null;
    Backfill taken =
        refusal == null ? filled(counted, compiled) : counted.cancelled(Reason.of(refusal).text());
    List<JobId> checked =
        taken.openJobs().stream()
            .filter(job -> !unreadable.contains(job))
            .filter(job -> isToBeChecked(found.get(job), taken, head))
            .toList();
    boolean isUnreadable = refusal == null && compiled == null;
    boolean isHandingOver = isUnreadable || !checked.isEmpty();
    return new Step(
        taken.withNextCheck(isHandingOver, now),
        Stream.concat(checked.stream(), ready(counted, taken, found)).toList());
  }

  /**
   * The READY jobs of a running backfill to check. Their checks put their rows into the pool again,
   * because the pass that let them enter may have crashed before. To save these writes, a step that
   * takes further fires checks none.
   */
  private static Stream<JobId> ready(Backfill before, Backfill after, Map<JobId, Job> found) {
    boolean isTaking = !after.openJobs().equals(before.openJobs());
    return isTaking || after.state() != State.RUNNING
        ? Stream.of()
        : found.values().stream().filter(Job::isReady).map(Job::id);
  }

  /** The reason why the backfill launches no more jobs; null if it may launch more. */
  private static @Nullable ReasonCode refusal(Backfill backfill, @Nullable Head head) {
    if (backfill.state() != State.RUNNING) {
      return ReasonCode.BACKFILL_CANCELLED;
    }
    Backfill.Order order = backfill.order();
    boolean isWanted = head != null && head.wantsJob(order.generation(), order.activation());
    return isWanted ? null : ReasonCode.BACKFILL_OUTDATED;
  }

  /**
   * Stores the jobs as cancelled. Then no late checker can insert a job with the same id: it finds
   * the stored job, which has ended.
   */
  private void cancelWithoutItem(
      Backfill backfill,
      Map<JobId, Job> found,
      Set<JobId> unreadable,
      Instant now,
      ReasonCode refusal) {
    Backfill.Order order = backfill.order();
    List<Job> withoutItem = new ArrayList<>();
    for (JobId job : backfill.openJobs()) {
      if (!found.containsKey(job) && !unreadable.contains(job)) {
        withoutItem.add(
            NewJob.endedBeforeLaunch(
                job,
                order.activation(),
                order.program(),
                JobState.CANCELLED,
                null,
                now,
                Reason.of(refusal)));
      }
    }
    List<Optional<Job>> present =
        withoutItem.isEmpty() ? List.of() : shared.jobs().insert(withoutItem);
    for (int i = 0; i < withoutItem.size(); i++) {
      Job job = present.get(i).orElse(withoutItem.get(i));
      found.put(job.id(), job);
    }
  }

  private @Nullable Compiled compiled(@Nullable Head head) {
    return head == null ? null : shared.definitions().of(List.of(head)).get(id.schedule());
  }

  private static Backfill filled(Backfill backfill, @Nullable Compiled compiled) {
    if (compiled == null) {
      return backfill;
    }
    List<FireTimes> times = compiled.fireTimes();
    return backfill.withNextFires(fire -> Fires.next(times, fire).map(Fire::at));
  }

  /**
   * Whether the backfill checks the job. A job that waits has a wake-up of its own, with two
   * exceptions: a job that must be cancelled, and a job that was held by a suspension that has
   * ended. The pass that held the job may have crashed before it found the end of the suspension.
   */
  private static boolean isToBeChecked(@Nullable Job job, Backfill backfill, @Nullable Head head) {
    if (job == null || job.state() == JobState.PENDING_LAUNCH) {
      return true;
    }
    boolean isReleased = job.isSuspended() && head != null && !head.holdsJobs();
    boolean waits =
        job.state() == JobState.PENDING_CONSTRAINT
            || job.state() == JobState.RETRY_WAIT
            || job.isReady();
    return waits && (isReleased || backfill.state() != State.RUNNING);
  }
}
