package dev.carillon.collect;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.event.Event;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Recalled;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.ContentionException;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts events and fires for a schedule's collecting job, one optimistic write for as many as fit,
 * and sends the jobs whose trigger they satisfied to be checked.
 */
public final class Collector {

  /**
   * Writes of one call that take up fires alone, up to 50 each, before another message goes on:
   * each fire is read, and there are very many after an outage.
   */
  static final int MOST_WRITES_OF_FIRES = 15;

  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

  private final Jobs jobs;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  public Collector(Jobs jobs, CheckQueue checks, OptimisticUpdate updates, InstantSource clock) {
    this.jobs = jobs;
    this.checks = checks;
    this.updates = updates;
    this.clock = clock;
  }

  /** The caller's head is older than the one that has counted last: the caller reads it again. */
  public static final class StaleHeadException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Applies what time has brought and then the events, each once.
   *
   * @return what became of each event, in order
   * @throws StaleHeadException if the head must be read again
   * @throws RuntimeException if not everything could be stored; repeating the call counts nothing
   *     twice
   */
  public List<Acceptance> collect(Compiled compiled, Head head, List<Event> events) {
    List<Acceptance> accepted = collect(compiled, head, events, Instant.MIN);
    if (accepted.size() < events.size()) {
      throw new IllegalStateException(
          "before its events many fires of " + head.id() + " are counted; they come again");
    }
    return accepted;
  }

  /**
   * Applies the fires up to one that is due. It was due by the caller's clock, and remains so: if a
   * clock steps back the fire is applied all the same, as no other message comes for it. Where the
   * fires are very many, another message goes on.
   *
   * @throws StaleHeadException if the head must be read again
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
    PastJobs past = new StoredPastJobs(jobs, head);
    return storeAndSend(known, CollectingPass.collect(known, past, events, reached));
  }

  /**
   * Makes what was collected belong to the head's activation, as far as one write does: from then
   * on a caller with an earlier head reads it again. Does nothing if others always were faster.
   *
   * @throws StaleHeadException if the head must be read again
   * @throws RuntimeException if it could not be stored
   */
  public void handOn(Compiled compiled, Head head) {
    try {
      updates.run(head.id(), () -> handOnOnce(compiled, head));
    } catch (ContentionException othersAreFaster) {
      LOG.debug("what {} has counted is not handed on", head.id(), othersAreFaster);
    }
  }

  private Attempt<Collected> handOnOnce(Compiled compiled, Head head) {
    CollectingSnapshot known = read(compiled, head, clock.instant());
    return storeAndSend(known, CollectingPass.handOn(known, new StoredPastJobs(jobs, head)));
  }

  /**
   * Takes up plain fires of a schedule that does not queue jobs behind one that waits: each becomes
   * a job, or is recorded as merged or skipped. A fire that has a row was taken up before.
   *
   * @return the rows of all of them
   * @throws StaleHeadException if the head must be read again
   * @throws RuntimeException if not everything could be stored; repeating the call takes up nothing
   *     twice
   */
  public List<Job> mergeOrSkip(Compiled compiled, Head head, List<JobId> fires) {
    for (int writes = 0; writes <= fires.size(); writes++) {
      Optional<List<Job>> rows =
          updates.run(head.id(), () -> mergeOrSkipOnce(compiled, head, fires));
      if (rows.isPresent()) {
        return rows.get();
      }
    }
    throw new IllegalStateException("fires of " + head.id() + " were stored but are not found");
  }

  /** The rows of all fires; empty if this attempt stored some, which are read by the next one. */
  private Attempt<Optional<List<Job>>> mergeOrSkipOnce(
      Compiled compiled, Head head, List<JobId> fires) {
    Map<JobId, Job> rows = jobs.find(fires);
    List<JobId> rest =
        fires.stream()
            .filter(fire -> !rows.containsKey(fire))
            .sorted(Comparator.comparing(JobId::at))
            .toList();
    if (rest.isEmpty()) {
      return Attempt.done(Optional.of(List.copyOf(rows.values())));
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
   * Announces a check of what is collected for the time when a change has settled: a caller that
   * read the head before the change may still count as before, and store that after it. To be
   * called before the change is stored, so that the check comes even if the caller dies.
   *
   * @param head as it will be
   * @throws RuntimeException if no message could be sent
   */
  public void announceDiscard(Head head) {
    Instant at = head.settledAt();
    checks.send(Check.of(at, List.of(new CollectingJobId(head.id()))), clock.instant());
  }

  /**
   * Ends what a schedule that was changed, suspended or deleted had collected. A count that is not
   * ended here is dropped when the collecting job is next used, or checked as announced.
   *
   * @return how many jobs were cancelled; empty if others always were faster
   */
  public OptionalInt discard(Head head) {
    try {
      return OptionalInt.of(updates.run(head.id(), () -> discardOnce(head)));
    } catch (ContentionException othersAreFaster) {
      return OptionalInt.empty();
    }
  }

  private Attempt<Integer> discardOnce(Head head) {
    Instant now = clock.instant();
    CollectingJob stored =
        jobs.collectingJob(head.id(), now).map(Recalled::collectingJob).orElse(null);
    if (stored == null
        || head.life().isLive(stored.activation())
        || (stored.open() == null && stored.wakeup() == null)) {
      return Attempt.done(0);
    }
    List<Job> cancelled =
        stored.open() == null
            ? List.of()
            : List.of(stored.open().cancelled(stored.activation(), head.program(), now));
    return Attempt.of(
        jobs.save(stored, stored.emptied(), Set.of(), cancelled, now), cancelled.size());
  }

  // ---- reading and storing

  private CollectingSnapshot read(Compiled compiled, Head head, Instant now) {
    Recalled before = jobs.collectingJob(head.id(), now).orElse(null);
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
    return jobs.save(before, collected.after(), collected.newlySeen(), collected.jobs(), now);
  }

  private void send(Collected collected, Instant now) {
    List<JobId> satisfied =
        collected.jobs().stream()
            .filter(job -> job.isNew() && !job.isEnded())
            .map(Job::id)
            .toList();
    send(Check.of(now, satisfied), now);
    Plan plan = collected.announced();
    if (plan != null) {
      CollectingJobId id = new CollectingJobId(collected.after().schedule());
      send(Check.of(plan.at(), List.of(id)), now);
    }
  }

  /** A message that cannot be sent now is no loss: the jobs need attention soon by themselves. */
  private void send(List<Check> wanted, Instant now) {
    try {
      checks.send(wanted, now);
    } catch (RuntimeException unavailable) {
      LOG.warn("the check queue took no message; the jobs wait for the master", unavailable);
    }
  }
}
