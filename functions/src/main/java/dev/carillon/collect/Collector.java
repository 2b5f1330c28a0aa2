package dev.carillon.collect;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.event.Event;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.StoredCollectingJob;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.WhilePending;
import dev.carillon.wakeup.Wakeup.Plan;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts events and fires for a schedule's collecting job, and sends checks of the jobs whose
 * trigger they satisfied. Each optimistic write counts as many events and fires as fit into it.
 */
public final class Collector {

  /**
   * One call makes at most this many writes that apply only fires, each with up to 50 fires; then
   * another message continues. Each fire costs a read, and after an outage there can be very many
   * fires.
   */
  static final int MOST_WRITES_OF_FIRES = 15;

  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

  private final Jobs jobs;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;
  private final Discarding discarding;

  public Collector(Jobs jobs, CheckQueue checks, OptimisticUpdate updates, InstantSource clock) {
    this.jobs = jobs;
    this.checks = checks;
    this.updates = updates;
    this.clock = clock;
    this.discarding = new Discarding(jobs, updates, clock);
  }

  /**
   * Thrown if the caller's head is older than the head under which events were counted last, so
   * that the caller must read the head again.
   */
  public static final class StaleHeadException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Applies the fires and elapsed periods up to now, and then each event once.
   *
   * @return the outcome of each event, in order
   * @throws StaleHeadException if the caller must read the head again
   * @throws RuntimeException if not everything could be stored; repeating the call counts nothing
   *     twice
   */
  public List<Acceptance> collect(Compiled compiled, Head head, List<Event> events) {
    List<Acceptance> accepted = collect(compiled, head, events, Instant.MIN);
    if (accepted.size() < events.size()) {
      String why = " are not counted: too many fires before them; they must be received again";
      throw new IllegalStateException("the events of " + head.id() + why);
    }
    return accepted;
  }

  /**
   * Applies the fires up to a given fire that is due by the caller's clock. The given fire is
   * applied even if the clock has stepped back since, because no other message names it. If there
   * are very many fires, another message continues.
   *
   * @throws StaleHeadException if the caller must read the head again
   * @throws RuntimeException if not everything could be stored
   */
  public void advance(Compiled compiled, Head head, Instant fire) {
    collect(compiled, head, List.of(), fire);
  }

  private List<Acceptance> collect(
      Compiled compiled, Head head, List<Event> events, Instant reached) {
    List<Acceptance> accepted = new ArrayList<>();
    int writesOfFires = 0;
    while (writesOfFires < MOST_WRITES_OF_FIRES) {
      List<Event> rest = events.subList(accepted.size(), events.size());
      Collected stored = updates.run(head.id(), () -> collectOnce(compiled, head, rest, reached));
      accepted.addAll(stored.accepted());
      if (stored.isComplete()) {
        return accepted;
      }
      writesOfFires += stored.accepted().isEmpty() ? 1 : 0;
    }
    Instant now = Progress.later(clock.instant(), reached);
    checks.send(Check.of(now, List.of(new CollectingJobId(head.id()))), now);
    return accepted;
  }

  private Attempt<Collected> collectOnce(
      Compiled compiled, Head head, List<Event> events, Instant reached) {
    CollectingSnapshot known = read(compiled, head, Progress.later(clock.instant(), reached));
    OtherJobs past = new StoredOtherJobs(jobs, head, known.now());
    return storeAndSend(known, CollectingPass.collect(known, past, events, reached));
  }

  /**
   * Moves the collecting job to the head's activation, as far as one write can move it. From then
   * on, a caller with an older head must read the head again. So a collecting job is stored even if
   * nothing was collected: a caller that still takes the schedule for suspended plans no check of
   * the time-out.
   *
   * @throws StaleHeadException if the caller must read the head again
   * @throws RuntimeException if it could not be stored
   */
  public void handOn(Compiled compiled, Head head) {
    updates.run(head.id(), () -> handOnOnce(compiled, head));
  }

  private Attempt<Collected> handOnOnce(Compiled compiled, Head head) {
    CollectingSnapshot known = read(compiled, head, clock.instant());
    return storeAndSend(
        known, CollectingPass.handOn(known, new StoredOtherJobs(jobs, head, known.now())));
  }

  /**
   * Stores fires of a schedule that does not queue jobs behind a waiting one. Each fire becomes a
   * job, or is recorded as merged or skipped. If the job of a fire is stored already, the fire was
   * handled earlier.
   *
   * @return the jobs of all fires
   * @throws StaleHeadException if the caller must read the head again
   * @throws RuntimeException if not everything could be stored; repeating the call stores nothing
   *     twice
   */
  public List<Job> mergeOrSkip(Compiled compiled, Head head, List<JobId> fires) {
    for (int writes = 0; writes <= fires.size(); writes++) {
      Optional<List<Job>> stored =
          updates.run(head.id(), () -> mergeOrSkipOnce(compiled, head, fires));
      if (stored.isPresent()) {
        return stored.get();
      }
    }
    throw new IllegalStateException("fires of " + head.id() + " were stored but are not found");
  }

  /**
   * The jobs of all fires; empty if this attempt has stored some of them, so that the next attempt
   * must read them.
   */
  private Attempt<Optional<List<Job>>> mergeOrSkipOnce(
      Compiled compiled, Head head, List<JobId> fires) {
    Map<JobId, Job> found = jobs.find(fires);
    List<JobId> rest =
        fires.stream()
            .filter(fire -> !found.containsKey(fire))
            .sorted(Comparator.comparing(JobId::at))
            .toList();
    if (rest.isEmpty()) {
      return Attempt.done(Optional.of(List.copyOf(found.values())));
    }
    Instant reached = rest.get(rest.size() - 1).at();
    CollectingSnapshot known = read(compiled, head, Progress.later(clock.instant(), reached));
    if (known.waiting() != null && rest.contains(known.waiting().id())) {
      return Attempt.lostRace();
    }
    Collected taken = CollectingPass.mergeOrSkip(known, rest);
    return Attempt.of(store(known.stored(), taken, known.now()), Optional.empty());
  }

  /**
   * Sends a check of the collecting job that is due when a change has settled. Until then, a caller
   * that read the head before the change can still count under that head and store the counts. This
   * must be called before the change is stored, so that the check is sent even if the caller
   * crashes. If the counts cannot be read, they are replaced at once.
   *
   * @param head the head after the change
   * @throws RuntimeException if no message could be sent
   */
  public void announceDiscard(Head head) {
    Instant at = head.settledAt();
    checks.send(Check.of(at, List.of(new CollectingJobId(head.id()))), clock.instant());
    // The counts are replaced at once, because a request that is repeated after a crash has nothing
    // to change and so drops nothing.
    replaceUnreadable(head.id());
  }

  /** Replaces a collecting job that cannot be read by one that has counted nothing. */
  public void replaceUnreadable(ScheduleId id) {
    discarding.replaceUnreadable(id);
  }

  /**
   * Ends the collecting job of a schedule that was changed, suspended or deleted. Counts that this
   * call does not end are dropped when the collecting job is next used, or by the announced check.
   *
   * @return how many jobs were cancelled; empty if every attempt was a lost race
   */
  public OptionalInt discard(Head head) {
    return discarding.discard(head, !head.collects());
  }

  /**
   * Does the same as {@link #discard} after a change that drops all counts. So it also replaces
   * counts that cannot be read.
   */
  public OptionalInt drop(Head head) {
    return discarding.discard(head, true);
  }

  // ---- reading and storing

  private CollectingSnapshot read(Compiled compiled, Head head, Instant now) {
    StoredCollectingJob before = jobs.collectingJob(head.id(), now).orElse(null);
    if (before != null && before.collectingJob().activation() > head.activation()) {
      throw new StaleHeadException();
    }
    boolean isQueued = compiled.schedule().whilePending() == WhilePending.QUEUE;
    JobId latest = before == null || isQueued ? null : before.collectingJob().latest();
    return new CollectingSnapshot(compiled, head, before, waiting(head, latest), now);
  }

  private @Nullable Job waiting(Head head, @Nullable JobId latest) {
    return Optional.ofNullable(latest)
        .map(id -> jobs.find(List.of(id)).get(id))
        .filter(job -> job.state() == JobState.PENDING_CONSTRAINT)
        .filter(job -> head.wantsJob(job.id().generation(), job.activation()))
        .orElse(null);
  }

  private Attempt<Collected> storeAndSend(CollectingSnapshot known, Collected collected) {
    if (!collected.hasChanged()) {
      return Attempt.done(collected);
    }
    if (!store(known.stored(), collected, known.now())) {
      return Attempt.lostRace();
    }
    send(collected, known.now());
    return Attempt.done(collected);
  }

  private boolean store(@Nullable CollectingJob before, Collected collected, Instant now) {
    return jobs.save(before, collected.after(), collected.newlyCounted(), collected.jobs(), now);
  }

  private void send(Collected collected, Instant now) {
    List<JobId> satisfied =
        collected.jobs().stream()
            .filter(job -> job.isNew() && !job.isEnded())
            .map(Job::id)
            .toList();
    List<Check> wanted = new ArrayList<>(Check.of(now, satisfied));
    List<RunId> ended =
        collected.jobs().stream().filter(Job::isConcluding).map(Job::runId).toList();
    wanted.addAll(Check.of(now, ended));
    send(wanted, now);
    Plan plan = collected.announced();
    if (plan != null) {
      CollectingJobId id = new CollectingJobId(collected.after().schedule());
      send(Check.of(plan.at(), List.of(id)), now);
    }
  }

  /**
   * Sends checks. If a message cannot be sent, nothing is lost, because the jobs are in the
   * attention index, which leads to a check soon.
   */
  private void send(List<Check> wanted, Instant now) {
    try {
      checks.send(wanted, now);
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not send checks of {} jobs after events; the master sends them",
          wanted.size(),
          unavailable);
    }
  }
}
