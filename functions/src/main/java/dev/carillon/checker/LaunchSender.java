package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.gate.Gate;
import dev.carillon.id.BackfillId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetQueues;
import dev.carillon.launch.TargetQueues.Impossible;
import dev.carillon.launch.TargetQueues.Outcome;
import dev.carillon.launch.TargetQueues.Refused;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renders and sends the requests of jobs that are held, and stores how that ended. */
final class LaunchSender {

  /**
   * What must be left of the lease for a request to be sent: a checker that was paused for long
   * sends nothing.
   */
  static final Duration LEAST_LEASE = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(LaunchSender.class);

  private final Requests requests;
  private final TargetQueues targets;
  private final Jobs jobs;
  private final Shared shared;
  private final CheckQueue checks;
  private final InstantSource clock;

  LaunchSender(Shared shared, Requests requests, TargetQueues targets, InstantSource clock) {
    this.requests = requests;
    this.targets = targets;
    this.jobs = shared.jobs();
    this.shared = shared;
    this.checks = shared.checks();
    this.clock = clock;
  }

  /** A job that the checker holds, with what it launches and how long its schedule's jobs wait. */
  record Launch(Compiled compiled, TimeoutPolicy timeouts, Job job) {}

  /** A request that can be sent. */
  private record Rendered(TimeoutPolicy timeouts, Job job, Requests.Ready ready) {}

  /**
   * Sends each; no other checker acts on it while its lease lasts.
   *
   * @return the wake-ups to send before the message is acknowledged: jobs that were not sent
   *     because their lease was about to end, for its end; the backfills of jobs that are over, for
   *     now
   */
  Map<Subject, Instant> send(List<Launch> launches) {
    List<Update> ends = new ArrayList<>();
    List<Rendered> rendered = new ArrayList<>();
    Map<Subject, Instant> followUps = new HashMap<>();
    for (Launch launch : launches) {
      Requests.Result result = requests.of(launch.compiled(), launch.job());
      if (result instanceof Requests.Ready ready) {
        rendered.add(new Rendered(launch.timeouts(), ready.job(), ready));
      } else if (result instanceof Requests.Unsendable unsendable) {
        ends.add(failed(launch.job(), unsendable.reason()));
      } else if (result instanceof Requests.NotAllowed notAllowed) {
        Reason reason = Reason.of(ReasonCode.TARGET_NOT_ALLOWED, notAllowed.reason());
        ends.add(refused(launch.timeouts(), launch.job(), reason));
      }
    }
    rendered.removeIf(ready -> leaseEndsSoon(ready.job(), followUps));
    List<LaunchRequest> sent = new ArrayList<>();
    for (Rendered one : rendered) {
      sent.add(one.ready().request());
    }
    List<Outcome> outcomes = targets.send(sent);
    for (int i = 0; i < rendered.size(); i++) {
      ends.add(after(rendered.get(i), outcomes.get(i)));
    }
    store(ends);
    for (Update end : ends) {
      if (end.after().isEnded()) {
        end.after().id().backfill().ifPresent(backfill -> followUps.put(backfill, clock.instant()));
      }
    }
    return followUps;
  }

  /**
   * Has the backfills of jobs checked when their leases are over, also if this checker crashes. A
   * job that holds a slot wakes its backfill when its run ends.
   */
  void repeatBackfillsAfterLease(List<Launch> launches) {
    List<BackfillId> backfills =
        launches.stream()
            .map(Launch::job)
            .filter(job -> !job.isSlotted())
            .flatMap(job -> job.id().backfill().stream())
            .distinct()
            .toList();
    repeatAfterLease(backfills);
  }

  /** Has them checked when the leases of now are over, also if this checker crashes. */
  void repeatAfterLease(List<? extends Subject> subjects) {
    if (!subjects.isEmpty()) {
      Instant now = clock.instant();
      checks.send(Check.of(now.plus(CheckProcessor.LEASE), subjects), now);
    }
  }

  private boolean leaseEndsSoon(Job job, Map<Subject, Instant> followUps) {
    Instant leaseEnd = job.launchingUntil();
    if (leaseEnd != null && clock.instant().plus(LEAST_LEASE).isBefore(leaseEnd)) {
      return false;
    }
    followUps.put(job.id(), leaseEnd == null ? clock.instant() : leaseEnd);
    return true;
  }

  private Update after(Rendered rendered, Outcome outcome) {
    Job job = rendered.job();
    if (outcome instanceof Refused refused) {
      Reason reason = Reason.of(ReasonCode.REQUEST_REFUSED, refused.reason());
      return refused(rendered.timeouts(), job, reason);
    }
    if (outcome instanceof Impossible impossible) {
      return failed(job, impossible.reason());
    }
    Instant now = clock.instant();
    String noted = rendered.ready().note();
    Reason note = noted == null ? null : Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, noted);
    return new Update(
        job,
        job.isSlotted()
            ? job.enqueued(now, note, now.plus(Gate.RUN_TIMEOUT))
            : job.sent(now, note));
  }

  private Update refused(TimeoutPolicy timeouts, Job job, Reason reason) {
    LOG.warn("the request of {} was refused: {}", job.id(), reason.text());
    return new Update(job, job.refused(clock.instant(), reason, timeouts));
  }

  private Update failed(Job job, String reason) {
    return new Update(
        job,
        job.ended(
            JobState.FAILED, clock.instant(), Reason.of(ReasonCode.REQUEST_IMPOSSIBLE, reason)));
  }

  /** One that was not launched must give back what it took. */
  private static boolean concernsGates(Update end) {
    boolean wasSent =
        end.after().state() == JobState.ENQUEUED || end.after().state() == JobState.SUCCEEDED;
    return !wasSent && end.before().hasStakeInGates();
  }

  private List<Wakeup> leave(List<Update> ends) {
    Instant now = clock.instant();
    GateTransactions gates = new GateTransactions(shared, now);
    ends.forEach(end -> gates.leave(end.before(), end.after(), false));
    List<Wakeup> wakes = new ArrayList<>();
    gates.wakes().forEach((gate, wake) -> wakes.add(new Wakeup(gate, wake)));
    wakes.removeIf(wake -> !Wakeup.plan(wake.at(), now).isInMessage());
    return wakes;
  }

  private void store(List<Update> ends) {
    List<Update> plain = new ArrayList<>();
    List<Update> atGates = new ArrayList<>();
    for (Update end : ends) {
      (concernsGates(end) ? atGates : plain).add(end);
    }
    jobs.update(plain);
    List<Wakeup> again = new ArrayList<>(leave(atGates));
    for (Update end : ends) {
      Instant notBefore = end.after().notBefore();
      if (notBefore != null) {
        again.add(new Wakeup(end.after().id(), notBefore));
      }
    }
    try {
      Instant now = clock.instant();
      checks.send(Check.of(again, now), now);
    } catch (RuntimeException unavailable) {
      LOG.warn("the check queue took no message; refused jobs wait for the master", unavailable);
    }
  }
}
