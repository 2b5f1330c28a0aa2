package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.State;
import dev.carillon.checker.Launcher.Tools;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One look at a backfill: counts its jobs that are over, takes further fires in one conditional
 * write, and only then launches their jobs. Those that a launcher did not come to have no row; they
 * are found by that at the next look, as the backfill names them.
 */
final class BackfillLook {

  /** From so many jobs on another message goes on: those that came with this one wait. */
  private static final int MOST_AT_ONCE = 20;

  private static final int MOST_LOST_RACES = 50;

  private final Tools tools;
  private final BackfillId id;
  private final Function<List<JobId>, Map<Subject, Instant>> launcher;
  private final Map<Subject, Instant> again = new LinkedHashMap<>();

  /**
   * @param launcher looks at jobs, and answers with what has to be looked at again
   */
  BackfillLook(Tools tools, BackfillId id, Function<List<JobId>, Map<Subject, Instant>> launcher) {
    this.tools = tools;
    this.id = id;
    this.launcher = launcher;
  }

  /** What is to be stored, and then the jobs that have to be looked at. */
  private record Step(Backfill after, List<JobId> ready) {}

  /**
   * Goes on until jobs of it are under way, or enough was done at once.
   *
   * @return what somebody has to look at again for this look to count as done, and when
   */
  Map<Subject, Instant> proceed(Deadline deadline) {
    int lostRaces = 0;
    int begun = 0;
    while (true) {
      Backfill stored = tools.backfills().backfills(List.of(id)).get(id);
      if (stored == null) {
        return again;
      }
      if (stored.isOver()) {
        completeSchedule();
        return again;
      }
      Step step = step(stored);
      if (!isStored(stored, step.after())) {
        if (++lostRaces > MOST_LOST_RACES) {
          throw new IllegalStateException("too many others change " + id);
        }
        continue;
      }
      if (step.after().isOver()) {
        completeSchedule();
      }
      begun += step.ready().size();
      again.putAll(step.ready().isEmpty() ? Map.of() : launcher.apply(step.ready()));
      if (begun >= MOST_AT_ONCE || deadline.hasPassed() || !isNeededNow()) {
        return again;
      }
      again.remove(id);
    }
  }

  /** It may have been all that kept an exhausted schedule from being deleted. */
  private void completeSchedule() {
    Instant now = tools.clock().instant();
    Map<ScheduleId, Head> heads =
        Reading.asOf(now, tools.schedules().heads(List.of(id.schedule())));
    tools
        .completion()
        .complete(Completion.among(heads, tools.definitions().of(heads.values()), now), now);
  }

  private boolean isNeededNow() {
    Instant next = again.get(id);
    return next != null && !next.isAfter(tools.clock().instant());
  }

  private boolean isStored(Backfill stored, Backfill after) {
    return after.equals(stored) || tools.backfills().saveBackfill(stored, after.stored());
  }

  private Step step(Backfill stored) {
    Instant now = tools.clock().instant();
    Head head = tools.schedules().heads(List.of(id.schedule())).get(id.schedule());
    Map<JobId, Job> found = new LinkedHashMap<>(tools.jobs().find(stored.openJobs()));
    ReasonCode refusal = refusal(stored, head);
    if (refusal != null) {
      cancelUnborn(stored, found, now, refusal);
    }
    Backfill counted = stored.counted(found.values());
    Backfill taken =
        refusal == null ? filled(counted, head, now) : counted.cancelled(Reason.of(refusal).text());
    List<JobId> ready =
        taken.openJobs().stream().filter(job -> isReady(found.get(job), taken)).toList();
    return new Step(taken.attended(!ready.isEmpty(), now), ready);
  }

  /** Why it launches nothing any more; null if it does. */
  private static @Nullable ReasonCode refusal(Backfill backfill, @Nullable Head head) {
    if (backfill.state() != State.RUNNING) {
      return ReasonCode.BACKFILL_CANCELLED;
    }
    Backfill.Order order = backfill.order();
    boolean isWanted = head != null && head.wantsJob(order.generation(), order.activation());
    return isWanted ? null : ReasonCode.BACKFILL_OUTDATED;
  }

  /** Their ids are taken, so that a launcher that is late finds that they are over. */
  private void cancelUnborn(
      Backfill backfill, Map<JobId, Job> found, Instant now, ReasonCode refusal) {
    Backfill.Order order = backfill.order();
    List<Job> unborn = new ArrayList<>();
    for (JobId job : backfill.openJobs()) {
      if (!found.containsKey(job)) {
        unborn.add(
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
    List<Optional<Job>> present = unborn.isEmpty() ? List.of() : tools.jobs().insert(unborn);
    for (int i = 0; i < unborn.size(); i++) {
      Job job = present.get(i).orElse(unborn.get(i));
      found.put(job.id(), job);
    }
  }

  private Backfill filled(Backfill backfill, @Nullable Head head, Instant now) {
    Compiled compiled =
        head == null ? null : tools.definitions().of(List.of(head)).get(id.schedule());
    if (compiled == null) {
      again.put(id, now.plus(Launcher.UNREADABLE_PAUSE));
      return backfill;
    }
    List<FireTimes> times = compiled.fireTimes();
    return backfill.filled(fire -> Fires.next(times, fire).map(Fire::at));
  }

  /** One that waits has a message or needs attention by itself, unless it is to be cancelled. */
  private static boolean isReady(@Nullable Job job, Backfill backfill) {
    return job == null
        || job.state() == JobState.PENDING_LAUNCH
        || (job.state() == JobState.PENDING_CONSTRAINT && backfill.state() != State.RUNNING);
  }
}
