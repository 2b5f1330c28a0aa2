package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.decision.JobDecision;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Callback;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetQueues;
import dev.carillon.launch.TargetQueues.Impossible;
import dev.carillon.launch.TargetQueues.Outcome;
import dev.carillon.launch.TargetQueues.Refused;
import dev.carillon.report.Conclusions;
import dev.carillon.report.PoolWakeups;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Target;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces the ends of jobs. For a tracked run, it sends an event, which triggers can count. If
 * the schedule of the job has {@code onEnd}, it sends a callback. The end is stored first, and the
 * attention index shows the job until its callback was accepted. A repeated callback has the same
 * identity.
 */
final class EndSender {

  private static final Logger LOG = LoggerFactory.getLogger(EndSender.class);

  private final Shared shared;
  private final Conclusions conclusions;
  private final Requests requests;
  private final TargetQueues targets;
  private final InstantSource clock;

  EndSender(Shared shared, Requests requests, TargetQueues targets, InstantSource clock) {
    this.shared = shared;
    this.conclusions = new Conclusions(shared, clock);
    this.requests = requests;
    this.targets = targets;
    this.clock = clock;
  }

  /** A callback that can be sent. */
  private record Ready(Job job, LaunchRequest request) {}

  /**
   * Announces the ends, and stores that this is done.
   *
   * @throws RuntimeException if an end was possibly not announced; the call can be repeated
   */
  void conclude(List<Job> jobs) {
    if (jobs.isEmpty()) {
      return;
    }
    IndependentSteps steps = new IndependentSteps();
    List<Job> done = new ArrayList<>();
    List<Ready> ready = new ArrayList<>();
    List<Update> ends = new ArrayList<>();
    for (Job job : announce(jobs, steps)) {
      if (job.callback() == null) {
        done.add(job);
      } else {
        steps.run(() -> render(job, ready, ends));
      }
    }
    done.forEach(job -> ends.add(new Update(job, job.concluded())));
    List<Outcome> outcomes = targets.send(ready.stream().map(Ready::request).toList());
    for (int i = 0; i < ready.size(); i++) {
      ends.add(after(ready.get(i).job(), outcomes.get(i)));
    }
    store(ends);
    steps.rethrow();
  }

  /**
   * Announces the ends for triggers.
   *
   * @return the jobs whose ends are announced; those whose pool cannot be read are checked later
   */
  private List<Job> announce(List<Job> jobs, IndependentSteps steps) {
    List<Job> announced = new ArrayList<>();
    List<RunId> postponed = new ArrayList<>();
    for (List<Job> ofPool : PoolWakeups.byPool(jobs)) {
      steps.run(
          () -> {
            try {
              conclusions.announce(ofPool);
              announced.addAll(ofPool);
            } catch (UnreadableItems pool) {
              // The master checks a job with an entry in the attention index each minute.
              ofPool.stream()
                  .filter(job -> job.attentionAt() == null)
                  .forEach(job -> postponed.add(job.runId()));
            }
          });
    }
    if (!postponed.isEmpty()) {
      Instant now = clock.instant();
      Instant later = now.plus(JobDecision.UNREADABLE_PAUSE);
      shared.checks().send(Check.of(later, postponed), now);
    }
    return announced;
  }

  private void render(Job job, List<Ready> ready, List<Update> ends) {
    Optional<Compiled> compiled =
        shared.definitions().of(job.id().schedule(), job.id().generation());
    if (compiled.isEmpty()) {
      ends.add(withoutDefinition(job));
      return;
    }
    Target onEnd = Objects.requireNonNull(compiled.get().schedule().onEnd());
    Requests.Result result = requests.callback(compiled.get(), onEnd, job);
    if (result instanceof Requests.Ready request) {
      ready.add(new Ready(job, request.request()));
    } else if (result instanceof Requests.Unsendable unsendable) {
      ends.add(impossible(job, unsendable.reason()));
    } else if (result instanceof Requests.NotAllowed notAllowed) {
      ends.add(refused(job, notAllowed.reason()));
    }
  }

  /**
   * The outcome for a job without a readable definition: the callback is refused if the definition
   * exists, because it or a calendar that it names may be repaired, and impossible if it is no
   * longer stored.
   */
  private Update withoutDefinition(Job job) {
    return stores(job.id().schedule(), job.id().generation())
        ? refused(job, "the definition of its schedule cannot be read")
        : impossible(job, "the definition of its generation is no longer stored");
  }

  /**
   * Whether the definition of a generation is stored, even if it cannot be read or compiled now.
   */
  private boolean stores(ScheduleId id, long generation) {
    Head head = shared.schedules().heads(List.of(id)).get(id);
    if (head != null && !head.isDeleted() && head.generation() == generation) {
      return true;
    }
    try {
      return shared.schedules().former(id, generation).isPresent();
    } catch (UnreadableItems damaged) {
      return true;
    }
  }

  private Update after(Job job, Outcome outcome) {
    if (outcome instanceof Refused refused) {
      return refused(job, refused.reason());
    }
    return outcome instanceof Impossible impossible
        ? impossible(job, impossible.reason())
        : new Update(job, Callback.sent(job, clock.instant()));
  }

  private Update refused(Job job, String reason) {
    Job owing = Callback.refused(job, clock.instant(), reason);
    LOG.warn(
        "the callback of {} was refused: {}; it is sent again at {}",
        job.id(),
        reason,
        owing.callbackAt());
    return new Update(job, owing);
  }

  private static Update impossible(Job job, String reason) {
    LOG.warn(
        "the callback of {} can never be sent: {}; correct onEnd of its schedule",
        job.id(),
        reason);
    return new Update(job, Callback.impossible(job, reason));
  }

  /**
   * Stores the ends. A check message repeats each refused callback. If the message is lost, the
   * attention index leads to the repetition. A checker that loses the race leaves the callback to
   * the other checker.
   */
  private void store(List<Update> ends) {
    List<Optional<Job>> others = shared.jobs().update(ends);
    List<Wakeup> again = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      Job after = ends.get(i).after();
      Instant at = after.callbackAt();
      if (at != null && others.get(i).isEmpty()) {
        again.add(new Wakeup(after.runId(), at));
      }
    }
    if (again.isEmpty()) {
      return;
    }
    try {
      Instant now = clock.instant();
      shared.checks().send(Check.of(again, now), now);
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not send the checks of {} refused callbacks; the master sends them",
          again.size(),
          unavailable);
    }
  }
}
