package dev.carillon.collect;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.collect.Accumulation.Acceptance;
import dev.carillon.event.Event;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Recalled;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.WhilePending;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts events and fires for a schedule's collecting job, one optimistic write for as many as fit,
 * and sends the jobs whose trigger they satisfied to be checked.
 */
public final class Collector {

  /**
   * Others that write the same collecting job win at most this often before the caller tries later.
   */
  static final int MOST_LOST_RACES = 50;

  /**
   * Writes of one call that take up fires alone, up to 50 each, before another message goes on:
   * each fire is read, and there are very many after an outage.
   */
  static final int MOST_WRITES_OF_FIRES = 15;

  private static final int MOST_NEWEST_JOBS = 20;

  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

  private final Jobs jobs;
  private final CheckQueue checks;
  private final InstantSource clock;

  public Collector(Jobs jobs, CheckQueue checks, InstantSource clock) {
    this.jobs = jobs;
    this.checks = checks;
    this.clock = clock;
  }

  /**
   * The head that the caller read is older than what the collecting job has seen: read it again.
   */
  public static final class StaleHeadException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Applies what is due and then the events, each once.
   *
   * @return what became of each event, in order
   * @throws StaleHeadException if the head must be read anew
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
   * Applies the fires up to one that is due. It was due by the caller's clock, and is so for good:
   * a clock that steps back must not leave it out, as nobody comes for it again. Where they are
   * very many, another message goes on.
   *
   * @throws StaleHeadException if the head must be read anew
   * @throws RuntimeException if not everything could be stored
   */
  public void advance(Compiled compiled, Head head, Instant fire) {
    collect(compiled, head, List.of(), fire);
  }

  /**
   * Has what was collected belong to the head's activation, as far as one write does: from then on
   * whoever has read an earlier head reads it anew.
   *
   * @throws StaleHeadException if the head must be read anew
   * @throws RuntimeException if it could not be stored
   */
  public void handOn(Compiled compiled, Head head) {
    boolean stored = false;
    for (int races = 0; !stored && races < MOST_LOST_RACES; races++) {
      Instant now = clock.instant();
      Optional<Recalled> before = recall(head, now);
      Job waiting = waiting(compiled.schedule(), head, before);
      Accumulation pass = new Accumulation(before.orElse(null), compiled, head, waiting, now);
      pass.advance(skippedFires(head), launchesByHand(head));
      stored = store(before, pass, now);
    }
  }

  private List<Acceptance> collect(
      Compiled compiled, Head head, List<Event> events, Instant reached) {
    List<Acceptance> accepted = new ArrayList<>();
    int lostRaces = 0;
    int writesOfFires = 0;
    while (writesOfFires < MOST_WRITES_OF_FIRES) {
      Instant now = later(clock.instant(), reached);
      Optional<Recalled> before = recall(head, now);
      Job waiting = waiting(compiled.schedule(), head, before);
      Accumulation pass = new Accumulation(before.orElse(null), compiled, head, waiting, now);
      List<Event> rest = events.subList(accepted.size(), events.size());
      List<Acceptance> newly = new ArrayList<>();
      boolean complete =
          pass.advance(skippedFires(head), launchesByHand(head))
              && accept(rest, pass, newly)
              && pass.expire();
      if (complete) {
        pass.passOver(reached);
      }
      if (store(before, pass, now)) {
        accepted.addAll(newly);
        writesOfFires += newly.isEmpty() ? 1 : 0;
        if (complete) {
          return accepted;
        }
      } else if (++lostRaces > MOST_LOST_RACES) {
        throw new IllegalStateException("too many others count events for " + head.id());
      }
    }
    Instant now = later(clock.instant(), reached);
    checks.send(Check.of(now, List.of(new CollectingJobId(head.id()))), now);
    return accepted;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  private Optional<Recalled> recall(Head head, Instant now) {
    Optional<Recalled> stored = jobs.collectingJob(head.id(), now);
    if (stored.isPresent() && stored.get().collectingJob().activation() > head.activation()) {
      throw new StaleHeadException();
    }
    return stored;
  }

  /** The latest job, if it still waits; nobody asks where others are queued. */
  private @Nullable Job waiting(Schedule schedule, Head head, Optional<Recalled> stored) {
    JobId latest = stored.isEmpty() ? null : stored.get().collectingJob().latest();
    if (latest == null || schedule.whilePending() == WhilePending.QUEUE) {
      return null;
    }
    Job job = jobs.find(List.of(latest)).get(latest);
    boolean waits =
        job != null
            && job.state() == JobState.PENDING_CONSTRAINT
            && head.wantsJob(job.id().generation(), job.activation());
    return waits ? job : null;
  }

  /**
   * Takes up plain fires of a schedule that does not queue jobs behind one that waits: each becomes
   * a job, or is recorded as merged or skipped. A fire that has a row was taken up before.
   *
   * @return the rows of all of them
   * @throws StaleHeadException if the head must be read anew
   * @throws RuntimeException if not everything could be stored; repeating the call takes up nothing
   *     twice
   */
  public List<Job> admit(Compiled compiled, Head head, List<JobId> fires) {
    for (int race = 0; race < MOST_LOST_RACES; race++) {
      Map<JobId, Job> rows = jobs.find(fires);
      List<JobId> rest =
          fires.stream()
              .filter(fire -> !rows.containsKey(fire))
              .sorted(Comparator.comparing(JobId::at))
              .toList();
      if (rest.isEmpty()) {
        return List.copyOf(rows.values());
      }
      Instant reached = rest.get(rest.size() - 1).at();
      Instant now = later(clock.instant(), reached);
      Optional<Recalled> before = recall(head, now);
      Job waiting = waiting(compiled.schedule(), head, before);
      Accumulation pass = new Accumulation(before.orElse(null), compiled, head, waiting, now);
      pass.admit(rest);
      save(before, pass, now);
    }
    throw new IllegalStateException("too many others take up fires of " + head.id());
  }

  /** Whether there was room for all. */
  private static boolean accept(List<Event> events, Accumulation pass, List<Acceptance> accepted) {
    for (Event event : events) {
      Acceptance acceptance = pass.accept(event);
      if (acceptance == Acceptance.NO_ROOM) {
        return false;
      }
      accepted.add(acceptance);
    }
    return true;
  }

  /**
   * Has somebody look at what is collected when a change has settled: who had read the head before
   * it may count as before, and store that after it. To be called before the change is stored, so
   * that it holds if the caller dies.
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
   * ended here is dropped when the collecting job is next used, or looked at as announced.
   *
   * @return how many jobs were cancelled; empty if others always were faster
   */
  public OptionalInt discard(Head head) {
    for (int tries = 0; tries < MOST_LOST_RACES; tries++) {
      Instant now = clock.instant();
      Optional<Recalled> before = jobs.collectingJob(head.id(), now);
      CollectingJob stored = before.map(Recalled::collectingJob).orElse(null);
      if (stored == null
          || head.life().isLive(stored.activation())
          || (stored.open() == null && stored.wakeup() == null)) {
        return OptionalInt.of(0);
      }
      List<Job> cancelled =
          stored.open() == null
              ? List.of()
              : List.of(
                  Accumulation.cancelled(stored.open(), stored.activation(), head.program(), now));
      CollectingJob emptied = stored.emptied();
      if (jobs.save(stored, emptied, Set.of(), cancelled, now)) {
        return OptionalInt.of(cancelled.size());
      }
    }
    return OptionalInt.empty();
  }

  private boolean store(Optional<Recalled> before, Accumulation pass, Instant now) {
    if (!pass.hasChanged()) {
      return true;
    }
    if (!save(before, pass, now)) {
      return false;
    }
    List<JobId> satisfied = new ArrayList<>();
    for (Job job : pass.jobs()) {
      if (job.isNew() && !job.isEnded()) {
        satisfied.add(job.id());
      }
    }
    sendToBeChecked(Check.of(now, satisfied), now);
    Wakeup.Plan plan = pass.newlyAnnounced();
    if (plan != null) {
      CollectingJobId id = new CollectingJobId(pass.result().schedule());
      sendToBeChecked(Check.of(plan.at(), List.of(id)), now);
    }
    return true;
  }

  private boolean save(Optional<Recalled> before, Accumulation pass, Instant now) {
    CollectingJob stored = before.isEmpty() ? null : before.get().collectingJob();
    boolean saved = jobs.save(stored, pass.result(), pass.newlySeen(), pass.jobs(), now);
    if (!saved) {
      LOG.debug("lost a race for the collecting job of {}", pass.result().schedule());
    }
    return saved;
  }

  /** A message that cannot be sent now is no loss: the jobs need attention soon by themselves. */
  private void sendToBeChecked(List<Check> wanted, Instant now) {
    try {
      checks.send(wanted, now);
    } catch (RuntimeException unavailable) {
      LOG.warn("the check queue took no message; the jobs wait for the master", unavailable);
    }
  }

  /**
   * Launches by hand are found among the newest jobs: those that a trigger made since are known to
   * the collecting job, and what is due because none was made for long has few behind it.
   */
  private Function<Instant, Optional<Instant>> launchesByHand(Head head) {
    return after ->
        jobs.ofSchedule(head.id(), null, MOST_NEWEST_JOBS, null).items().stream()
            .filter(job -> job.launchNow() != null && job.scheduledFor().isAfter(after))
            .map(Job::scheduledFor)
            .max(Comparator.naturalOrder());
  }

  private Predicate<Instant> skippedFires(Head head) {
    return fire -> {
      JobId id = JobId.ofFire(head.id(), head.generation(), fire);
      Job job = jobs.find(List.of(id)).get(id);
      return job != null && job.state() == JobState.SKIPPED;
    };
  }
}
