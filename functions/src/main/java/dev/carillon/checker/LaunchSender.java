package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.gate.Gate;
import dev.carillon.id.JobId;
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
import dev.carillon.run.Place;
import dev.carillon.run.Run;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renders and sends the requests of leased jobs, and stores the outcomes. */
final class LaunchSender {

  /**
   * The part of the lease that must remain when a request is sent, so that a checker whose
   * execution was paused for a long time sends nothing.
   */
  static final Duration LEAST_LEASE = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(LaunchSender.class);

  private final Requests requests;
  private final TargetQueues targets;
  private final Jobs jobs;
  private final Shared shared;
  private final CheckQueue checks;
  private final InstantSource clock;
  private final LaunchCounts counts;

  LaunchSender(
      Shared shared,
      Requests requests,
      TargetQueues targets,
      InstantSource clock,
      Duration sendingTime) {
    this.requests = requests;
    this.targets = targets;
    this.jobs = shared.jobs();
    this.shared = shared;
    this.checks = shared.checks();
    this.clock = clock;
    this.counts = new LaunchCounts(shared, clock, sendingTime);
  }

  /** How many messages wait in a queue; empty if that is unknown now. */
  OptionalLong waiting(String queue) {
    try {
      return targets.waiting(requests.queueArn(queue));
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "the messages of queue {} could not be counted; its pool uses its own count",
          queue,
          unavailable);
      return OptionalLong.empty();
    }
  }

  /** The time allowed for sending. A gate counts the launch at the end of that time. */
  Duration sendingTime() {
    return counts.sendingTime();
  }

  /**
   * Sends the request of each job. No other checker acts on the job while its lease lasts.
   *
   * @return the wake-ups to send before the check message is acknowledged. A job that was not sent
   *     because its lease ends soon is checked at the end of the lease, a backfill whose job has
   *     ended is checked now, and a tracked job is checked at its next time-out
   */
  Map<Subject, Instant> send(List<Launch> launches) {
    if (launches.isEmpty()) {
      return Map.of();
    }
    List<Update> ends = new ArrayList<>();
    Map<JobId, Requests.Ready> rendered = new HashMap<>();
    List<Launch> ready = new ArrayList<>();
    Map<Subject, Instant> followUps = new HashMap<>();
    for (Launch launch : launches) {
      Requests.Result result = render(launch);
      if (result instanceof Requests.Ready request) {
        rendered.put(launch.job().id(), request);
        ready.add(launch.with(request.job()));
      } else if (result instanceof Requests.Unsendable unsendable) {
        ends.add(failed(launch.job(), unsendable.reason()));
      } else if (result instanceof Requests.NotAllowed notAllowed) {
        Reason reason = Reason.of(ReasonCode.TARGET_NOT_ALLOWED, notAllowed.reason());
        ends.add(refused(launch.timeouts(), launch.job(), reason));
      }
    }
    List<Launch> allowed = allowed(ready, ends);
    // The leases are checked last, because they run on while allowed() counts launches again.
    allowed.removeIf(one -> leaseEndsSoon(one.job(), followUps));
    List<LaunchRequest> sent = new ArrayList<>();
    for (Launch one : allowed) {
      sent.add(request(rendered, one).request());
    }
    List<Outcome> outcomes = targets.send(sent);
    for (int i = 0; i < allowed.size(); i++) {
      Launch one = allowed.get(i);
      ends.add(after(one, request(rendered, one).note(), outcomes.get(i)));
    }
    store(ends);
    ends.forEach(end -> followUps.putAll(following(end.after())));
    return followUps;
  }

  private Requests.Result render(Launch launch) {
    Requests.Result result = requests.of(launch.compiled(), launch.job(), launch.queue());
    Place place = launch.job().place();
    return place != null && launch.queue() == null && result instanceof Requests.Ready
        ? new Requests.NotAllowed("the pool " + place.pool() + " has no queue")
        : result;
  }

  /** The wake-ups of a job that has ended, or whose request was accepted. */
  private Map<Subject, Instant> following(Job launched) {
    Map<Subject, Instant> wakeups = new HashMap<>();
    Instant now = clock.instant();
    if (launched.isEnded()) {
      launched.id().backfill().ifPresent(backfill -> wakeups.put(backfill, now));
    }
    if (launched.isConcluding()) {
      wakeups.put(launched.runId(), now);
    } else if (launched.run() != null && launched.reportBy() != null) {
      wakeups.put(launched.runId(), launched.reportBy());
    }
    return wakeups;
  }

  private static Requests.Ready request(Map<JobId, Requests.Ready> rendered, Launch launch) {
    return Objects.requireNonNull(rendered.get(launch.job().id()));
  }

  /** The launches that may be sent now, each with its job as the gates counted it last. */
  private List<Launch> allowed(List<Launch> ready, List<Update> ends) {
    LaunchCounts.Counts current = counts.current(ready);
    Reason late = Reason.of(ReasonCode.CONSTRAINTS_UNMET, "its turn passed before it was sent");
    current.refused().forEach(one -> ends.add(refused(one.timeouts(), one.job(), late)));
    return new ArrayList<>(current.allowed());
  }

  private boolean leaseEndsSoon(Job job, Map<Subject, Instant> followUps) {
    Instant leaseEnd = job.launchingUntil();
    if (leaseEnd != null && clock.instant().plus(LEAST_LEASE).isBefore(leaseEnd)) {
      return false;
    }
    followUps.put(job.id(), leaseEnd == null ? clock.instant() : leaseEnd);
    return true;
  }

  private Update after(Launch launch, @Nullable String noted, Outcome outcome) {
    Job job = launch.job();
    if (outcome instanceof Refused refused) {
      Reason reason = Reason.of(ReasonCode.REQUEST_REFUSED, refused.reason());
      return refused(launch.timeouts(), job, reason);
    }
    if (outcome instanceof Impossible impossible) {
      return failed(job, impossible.reason());
    }
    Instant now = clock.instant();
    Reason note = noted == null ? null : Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, noted);
    Run run = job.run();
    if (run != null) {
      Instant claimBy = now.plus(run.policy().tracking().enqueueTimeout());
      return new Update(job, job.enqueued(now, note, claimBy));
    }
    return new Update(
        job,
        job.isSlotted()
            ? job.enqueued(now, note, now.plus(Gate.RUN_TIMEOUT))
            : job.sent(now, note));
  }

  private Update refused(TimeoutPolicy timeouts, Job job, Reason reason) {
    Job waiting = job.refused(clock.instant(), reason, timeouts);
    LOG.warn(
        "the request of {} was refused: {}; it is sent again at {}",
        job.id(),
        reason.text(),
        waiting.notBefore());
    return new Update(job, waiting);
  }

  private Update failed(Job job, String reason) {
    return new Update(
        job,
        job.ended(
            JobState.FAILED, clock.instant(), Reason.of(ReasonCode.REQUEST_IMPOSSIBLE, reason)));
  }

  /**
   * Whether gates change with the end of a try to launch: a job that was not launched must free its
   * slots, unless it returns to its pool.
   */
  static boolean concernsGates(Update end) {
    boolean keepsSlots =
        switch (end.after().state()) {
          case ENQUEUED, LAUNCHED, READY -> true;
          default -> false;
        };
    return !keepsSlots && end.before().hasStakeInGates();
  }

  private List<Wakeup> leave(List<Update> ends) {
    Instant now = clock.instant();
    GateTransactions gates = new GateTransactions(shared);
    ends.forEach(end -> gates.leave(end.before(), end.after(), false, now));
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
    List<Wakeup> followUps = new ArrayList<>(leave(atGates));
    for (Update end : ends) {
      Instant notBefore = end.after().notBefore();
      if (notBefore != null) {
        followUps.add(new Wakeup(end.after().id(), notBefore));
      }
    }
    try {
      Instant now = clock.instant();
      checks.send(Check.of(followUps, now), now);
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not send the checks of {} refused jobs; the master sends them",
          followUps.size(),
          unavailable);
    }
  }
}
