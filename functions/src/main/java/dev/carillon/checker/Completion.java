package dev.carillon.checker;

import dev.carillon.backfill.Backfills;
import dev.carillon.check.Shared;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.SkippedFires;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.time.ExcludingTimes;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the schedules whose last fire has passed. */
final class Completion {

  /** How many of the last fires can still be under way, whatever their age. */
  private static final int MOST_UNDER_WAY = 50;

  /** How long before the present further fires can still be under way, for example missed ones. */
  private static final Duration LONGEST_UNDER_WAY = Duration.ofDays(1);

  /** How many fires are looked up at most before a schedule is deleted. */
  private static final int MOST_LOOKED_UP = 4_000;

  /** The states of jobs whose request is still to be sent, or can be sent again. */
  private static final Set<JobState> UNSENT =
      Set.of(
          JobState.PENDING_CONSTRAINT,
          JobState.READY,
          JobState.PENDING_LAUNCH,
          JobState.RETRY_WAIT,
          JobState.ENQUEUED,
          JobState.CLAIMED,
          JobState.RUNNING);

  private static final int PAGE = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Completion.class);

  private final Schedules schedules;
  private final Jobs jobs;
  private final Backfills backfills;
  private final Timers timers;
  private final OptimisticUpdate updates;
  private final Fanout fanout;

  Completion(Shared shared, Fanout fanout) {
    this.schedules = shared.schedules();
    this.jobs = shared.jobs();
    this.backfills = shared.backfills();
    this.timers = shared.timers();
    this.updates = shared.updates();
    this.fanout = fanout;
  }

  /** A schedule that has only time leaves, no further fire, and has not ended. */
  record Exhausted(Head head, Compiled compiled) {}

  /**
   * The exhausted schedules among those given. Every check of a job, and every end of a suspension,
   * searches for exhausted schedules. So if a crash leaves such a schedule unended, a later check
   * ends it, and the check of the last job that ends triggers the deletion.
   */
  static List<Exhausted> among(
      Map<ScheduleId, Head> heads, Map<ScheduleId, Compiled> compiled, Instant now) {
    List<Exhausted> exhausted = new ArrayList<>();
    compiled.forEach(
        (id, known) -> {
          Head head = heads.get(id);
          if (head != null && isUnended(head, known.schedule()) && known.isExhausted(now)) {
            exhausted.add(new Exhausted(head, known));
          }
        });
    return exhausted;
  }

  /**
   * Ends the schedules in parallel. Schedules with {@code deleteAfterCompletion} are deleted once
   * all their jobs are launched or have ended. If something that this needs cannot be read, the
   * schedule is checked again at the next minute.
   *
   * @throws RuntimeException if any schedule could not be ended; the call can be repeated
   */
  void complete(List<Exhausted> exhausted, Instant now) {
    fanout.forEach(exhausted, one -> completeOrCheckAgain(one, now));
  }

  /**
   * Items that cannot be read do not fail the present check. That check has sent its follow-up
   * checks, and if it was repeated while a job cannot be read, it would send them again each time.
   */
  private void completeOrCheckAgain(Exhausted one, Instant now) {
    Head head = one.head();
    try {
      complete(head, one.compiled(), now);
    } catch (UnreadableItems | UnreadableJobs | UnreadableSchedules damaged) {
      LOG.warn("could not end {}; it is checked again at the next minute", head.id(), damaged);
      NextMinute.check(timers, head, now);
    }
  }

  private static boolean isUnended(Head head, Schedule schedule) {
    return schedule.deleteAfterCompletion()
        ? head.state() != ScheduleState.SUSPENDED
        : head.state() == ScheduleState.ACTIVE;
  }

  private void complete(Head read, Compiled known, Instant now) {
    if (!known.schedule().deleteAfterCompletion()) {
      save(read, Lifecycle::complete);
    } else if (lastFiresAreLaunched(read, known, now) && hasNoRequestedJobs(read)) {
      Set<String> keys = known.schedule().indexKeys();
      save(read, stored -> Lifecycle.delete(stored, keys, now));
    }
  }

  /**
   * Saves the change, unless the schedule was activated, suspended, ended or deleted after it was
   * read.
   */
  private void save(Head read, Function<StoredSchedule, Schedules.Change> change) {
    updates.untilStored(
        read.id(),
        () -> {
          StoredSchedule stored = schedules.find(read.id()).orElse(null);
          return stored == null
              || stored.head().suspension() != null
              || stored.head().state() != read.state()
              || stored.head().activation() != read.activation()
              || schedules.save(change.apply(stored));
        });
  }

  /** Looks the last fires up page by page, the latest first, until one is not launched. */
  private boolean lastFiresAreLaunched(Head head, Compiled known, Instant now) {
    Instant before = Instant.MAX;
    Instant since = head.life().beganAt();
    int size = MOST_UNDER_WAY;
    for (int lookedUp = 0; lookedUp < MOST_LOOKED_UP; lookedUp += size) {
      List<JobId> page = fires(head, known, since, before, size);
      if (page.isEmpty()) {
        return true;
      }
      if (!areLaunched(page, known.schedule())) {
        return false;
      }
      before = page.get(page.size() - 1).at();
      Instant recent = now.minus(LONGEST_UNDER_WAY);
      since = recent.isAfter(since) ? recent : since;
      size = PAGE;
    }
    return true;
  }

  /**
   * The last wanted fires between two instants, the latest first. A pause in which the schedule
   * made no jobs is passed in one step, because it can have millions of fires.
   */
  private static List<JobId> fires(
      Head head, Compiled known, Instant since, Instant before, int most) {
    List<FireTimes> times =
        known.fireTimes().stream()
            .<FireTimes>map(all -> new ExcludingTimes(all, head.closedPauses()))
            .toList();
    List<JobId> last = new ArrayList<>();
    Optional<Instant> fire = Fires.previous(times, before).map(Fire::at);
    while (fire.isPresent() && fire.get().isAfter(since) && last.size() < most) {
      last.add(JobId.ofFire(head.id(), head.generation(), fire.get()));
      fire = Fires.previous(times, fire.get()).map(Fire::at);
    }
    return last;
  }

  /**
   * Whether each of the fires was skipped, or its job was launched or has ended. Until then, a
   * deletion would cancel a job that is not sent, and drop a fire that is not checked.
   */
  private boolean areLaunched(List<JobId> fires, Schedule schedule) {
    Map<JobId, Job> found = jobs.find(fires);
    if (!found.values().stream().allMatch(Completion::isLaunched)) {
      return false;
    }
    List<JobId> rest = fires.stream().filter(fire -> !found.containsKey(fire)).toList();
    return rest.isEmpty() || (!schedule.catchUp().isEverything() && areSkipped(rest));
  }

  /** Whether no backfill and no unsent job is left. A deletion would cancel them. */
  private boolean hasNoRequestedJobs(Head head) {
    return backfills.openBackfills(head.id()).isEmpty() && hasNoUnsentJob(head);
  }

  /**
   * Whether no job has a request to send. One query covers all states, so that it finds a job even
   * if the job changes its state meanwhile, and reads the history only once.
   */
  private boolean hasNoUnsentJob(Head head) {
    String next = null;
    do {
      Page<Job> page = jobs.ofSchedule(head.id(), UNSENT, PAGE, next);
      for (Job job : page.items()) {
        if (!isLaunched(job) && head.wantsJob(job.id().generation(), job.activation())) {
          return false;
        }
      }
      next = page.next();
    } while (next != null);
    return true;
  }

  /**
   * Whether no request of the job will be sent any more. A job with a run is not counted as
   * launched, because its run can be retried.
   */
  private static boolean isLaunched(Job job) {
    return job.isEnded() || (job.isRunning() && job.run() == null);
  }

  /**
   * Whether the fires were missed and will not be launched later. One item records many such fires.
   *
   * @param fires the latest first
   */
  private boolean areSkipped(List<JobId> fires) {
    List<SkippedFires> skipped = SkippedFires.upTo(fires.get(0), jobs);
    return fires.stream()
        .allMatch(fire -> skipped.stream().anyMatch(some -> some.contains(fire.at())));
  }
}
