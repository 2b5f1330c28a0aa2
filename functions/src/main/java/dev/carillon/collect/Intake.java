package dev.carillon.collect;

import dev.carillon.collect.WaitingPolicy.Collect;
import dev.carillon.collect.WaitingPolicy.Merge;
import dev.carillon.collect.WaitingPolicy.Skip;
import dev.carillon.id.JobId;
import dev.carillon.job.Callback;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.WhilePending;
import dev.carillon.trigger.Satisfaction;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that take the fires and events of one pass: the open job or, by {@link WaitingPolicy}, a
 * waiting one. A job whose trigger is satisfied takes no more fires and events; the next fire or
 * event opens the next job.
 */
final class Intake {

  private final CollectingSnapshot known;
  private final Schedule schedule;
  private final Head head;
  private final Instant now;
  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private Progress progress;
  private WaitingPolicy policy;
  private @Nullable JobId latest;
  private boolean hasTaken;

  /**
   * @param now the instant of the jobs' transitions
   */
  Intake(CollectingSnapshot known, Progress progress, Instant now) {
    this.known = known;
    this.schedule = known.schedule();
    this.head = known.head();
    this.now = now;
    this.progress = progress;
    this.policy = WaitingPolicy.of(schedule.whilePending(), known.waiting());
    CollectingJob stored = known.stored();
    this.latest = stored == null ? null : stored.latest();
  }

  Progress progress() {
    return progress;
  }

  /** The jobs to be stored. */
  List<Job> jobs() {
    return List.copyOf(jobs.values());
  }

  /**
   * The last job whose trigger was satisfied. It is null if there is no such job. It is also null
   * if {@code whilePending} is {@code queue}: then nothing depends on whether the last job still
   * waits.
   */
  @Nullable JobId latest() {
    return schedule.whilePending() == WhilePending.QUEUE ? null : latest;
  }

  /** Whether a job has changed. */
  boolean hasTaken() {
    return hasTaken;
  }

  /** Whether another job can be stored. */
  boolean hasRoom() {
    return jobs.size() < Jobs.MOST_SATISFIED;
  }

  /** Whether the next fire or event goes to an open job and not to a waiting one. */
  boolean isCollecting() {
    return progress.open() != null || policy instanceof Collect;
  }

  void moveTo(Progress moved) {
    progress = moved;
  }

  /**
   * Takes fires of some leaves. An open job takes one fire of each leaf; a waiting job takes any
   * number.
   */
  void takeFires(Set<Integer> fired, Instant at) {
    Set<Integer> counting = new HashSet<>(fired);
    counting.removeAll(progress.satisfied());
    take(at, triggerState -> LeafCounts.withFires(triggerState, counting, at));
  }

  /**
   * Adds a fire or event to a job.
   *
   * @param at when the fire or event happened; if it satisfies the job's trigger, also the job's
   *     {@code scheduledFor}
   * @param addition adds the fire or event to the counts of a job
   */
  void take(Instant at, UnaryOperator<TriggerState> addition) {
    hasTaken = true;
    if (isCollecting()) {
      collect(at, addition);
    } else if (policy instanceof Merge merge) {
      grow(merge, addition);
    } else if (policy instanceof Skip skip) {
      skip(skip, at, addition);
    }
  }

  private void collect(Instant at, UnaryOperator<TriggerState> addition) {
    OpenJob open = progress.open() == null ? newJob(at) : progress.open();
    OpenJob counted = open.with(addition.apply(open.triggerState()));
    progress = progress.with(counted);
    if (Satisfaction.isSatisfied(schedule.trigger(), counted.triggerState().leaves())) {
      close(counted, at, null);
    }
  }

  private void grow(Merge merge, UnaryOperator<TriggerState> addition) {
    TriggerState before = LeafCounts.of(merge.into(), known.compiled());
    boolean isNew = jobs.containsKey(merge.into().id());
    Merge grown = merge.grown(addition.apply(before), isNew);
    policy = grown;
    put(grown.into());
  }

  private void skip(Skip skip, Instant at, UnaryOperator<TriggerState> addition) {
    OpenJob skipped = skip.skipped() == null ? newJob(at) : skip.skipped();
    OpenJob counted = skipped.with(addition.apply(skipped.triggerState()));
    policy = skip.with(counted);
    put(ended(counted, JobState.SKIPPED, skip.whySkipped()));
  }

  private OpenJob newJob(Instant at) {
    OpenJob next = progress.next(schedule, head.generation(), at);
    progress = progress.afterNext();
    return next;
  }

  /**
   * Takes a fire that makes a job of its own. If another job waits, the fire is merged into that
   * job or dropped. The fire's own job is then recorded as SKIPPED.
   */
  void mergeOrSkip(JobId fire, Set<Integer> leaves) {
    hasTaken = true;
    String program = schedule.program();
    Reason reason = policy.whySkipped();
    if (reason == null) {
      goOn(calling(NewJob.waitingFire(fire, head.activation(), program, now)));
      return;
    }
    if (policy instanceof Merge merge) {
      grow(merge, triggerState -> LeafCounts.withFires(triggerState, leaves, fire.at()));
    }
    put(
        NewJob.endedBeforeLaunch(
            fire, head.activation(), program, JobState.SKIPPED, null, now, reason));
  }

  /** Ends or launches the open job at its time-out, according to the schedule's policy. */
  void timeOut(OpenJob open, Instant end, TimeoutPolicy timeouts) {
    hasTaken = true;
    if (timeouts.launches(open.id(), now)) {
      close(open, end, timeouts.launchedAnyway());
    } else {
      put(calling(ended(open, JobState.TIMED_OUT, timeouts.whyGivenUp())));
      progress = progress.closed(now);
    }
  }

  /** Ends the job that was open when its schedule was changed. */
  void cancel(CollectingJob cancelled) {
    if (cancelled.open() != null) {
      hasTaken = true;
      put(cancelled.open().cancelled(cancelled.activation(), head.program(), now));
    }
  }

  /**
   * Ends the collecting of the open job, which then waits to launch.
   *
   * @param reason why the job proceeds although its trigger is not satisfied; null if the trigger
   *     is satisfied
   */
  private void close(OpenJob open, Instant scheduledFor, @Nullable Reason reason) {
    goOn(
        calling(
            NewJob.triggered(
                open.id(),
                head.activation(),
                schedule.program(),
                scheduledFor,
                open.openedAt(),
                now,
                open.triggerState(),
                reason)));
    progress = progress.closed(now);
  }

  /**
   * Adds a job that now waits. From then on, further fires and events are treated as the waiting
   * job requires.
   */
  private void goOn(Job job) {
    put(job);
    policy = WaitingPolicy.of(schedule.whilePending(), job);
    latest = job.id();
  }

  private Job ended(OpenJob job, JobState end, Reason reason) {
    return job.ended(end, head.activation(), schedule.program(), now, reason);
  }

  private Job calling(Job opened) {
    return Callback.wantedBy(schedule, opened);
  }

  private void put(Job job) {
    jobs.put(job.id(), job);
  }
}
