package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Constraints.Unmet;
import dev.carillon.decision.JobDecision;
import dev.carillon.decision.JobDecision.End;
import dev.carillon.decision.JobDecision.KeepPlace;
import dev.carillon.decision.JobDecision.WaitAtGate;
import dev.carillon.decision.JobDecision.WaitForOpening;
import dev.carillon.decision.JobPools;
import dev.carillon.decision.JobSnapshot;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateDemands;
import dev.carillon.gate.GateStates;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.GateKey;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Explains the state of a job that is not a collecting job. The explanation shows what the checker
 * would decide about the job now.
 */
final class JobExplanation {

  private final Job job;
  private final Explained explained;
  private final GateViews gates;
  private final JobSnapshot given;
  private final JobDecision decision;
  private final Instant now;
  private final @Nullable ReadyExplanation ready;

  /**
   * @param isWantedByBackfill false if the job belongs to a backfill that no longer launches it
   * @param limited which programs of its namespace can have limits
   * @param pools determines the pool of a job
   * @param ready the explanation of its place in a pool; null if it does not wait in one
   */
  JobExplanation(
      Job job,
      Explained explained,
      GateViews gates,
      boolean isWantedByBackfill,
      LimitedPrograms limited,
      JobPools pools,
      @Nullable ReadyExplanation ready) {
    this.job = job;
    this.explained = explained;
    this.gates = gates;
    this.ready = ready;
    this.now = explained.now();
    Head head = explained.head() == null ? null : explained.head().asOf(now);
    Compiled compiled = explained.of(job.id());
    GateStates states = GateStates.once(gates::find);
    GateDemands own =
        compiled == null
            ? new GateDemands(job.program(), List.of())
            : compiled.schedule().demands();
    String namespace = job.id().schedule().namespace();
    this.given =
        new JobSnapshot(
            head,
            false,
            compiled,
            isWantedByBackfill,
            new GatedPrograms(namespace, limited, states, own),
            job.waitsAt(),
            pools,
            states);
    this.decision = JobDecision.decide(job, given, now);
  }

  ObjectNode of() {
    TriggerState triggerState = job.triggerState();
    ArrayNode unsatisfied =
        triggerState == null
            ? Json.object().arrayNode()
            : explained.leaves(job.id(), triggerState, true);
    Map<GateKey, Gate> found = given.gates().of(concerned());
    String said = summary() + CallbackView.sentence(job);
    ObjectNode explanation = Explained.explanation(job.id(), job.state(), said, unsatisfied);
    addUnmet(explanation.withArray("unmetConstraints"));
    addGates(found, explanation.withArray("gates"));
    Reason waitsBecause = waitsBecause();
    String because = waitsBecause == null ? null : waitsBecause.text();
    explanation
        .put("waitsBecause", ready == null ? because : ready.because())
        .put("nextCheckAt", ScheduleView.text(nextCheck(found)));
    explanation.set("timesOut", timesOut());
    if (ready != null) {
      explanation.set("pool", ready.view());
    }
    explanation
        .putObject("launch")
        .put("attempt", job.attempt())
        .put("launchedAt", ScheduleView.text(job.launchedAt()))
        .put("refusals", job.refusals());
    if (triggerState != null) {
      explanation.set("trigger", explained.trigger(job.id(), triggerState));
    }
    addReadyOperations(explanation);
    return explanation;
  }

  /**
   * The time-out of the waiting job; null for none. In a pool, only a time-out that discards the
   * job has an effect.
   */
  private @Nullable ObjectNode timesOut() {
    boolean waits = job.state() == JobState.PENDING_CONSTRAINT && !job.isSuspended();
    if (job.attempt() > 1 || (!waits && ready == null)) {
      return null;
    }
    ObjectNode end = explained.timesOut(job.id());
    return end == null || waits || end.path("action").asText().equals("discard") ? end : null;
  }

  /** The operations that a worker may begin, if the job has operations and has not ended. */
  private void addReadyOperations(ObjectNode explanation) {
    if (job.run() != null && !job.run().operations().isEmpty() && !job.isEnded()) {
      ArrayNode ready = explanation.putArray("readyOperations");
      job.run().operations().ready().forEach(operation -> ready.add(operation.id()));
    }
  }

  /**
   * The reason why the job waits; null if it does not wait. Until its next check is due, this is
   * the reason that its last check stored.
   */
  private @Nullable Reason waitsBecause() {
    if (decision instanceof WaitForOpening wait) {
      return wait.reason();
    }
    if (decision instanceof WaitAtGate wait) {
      return wait.reason();
    }
    if (decision instanceof KeepPlace wait) {
      return wait.reason();
    }
    return job.isWaiting() ? job.newestReason() : null;
  }

  private void addUnmet(ArrayNode list) {
    boolean waits = job.state() == JobState.PENDING_CONSTRAINT;
    List<Unmet> unmet = waits ? JobDecision.unmet(job, given, now) : List.of();
    for (Unmet one : unmet) {
      list.addObject()
          .put("type", one.constraint().type())
          .put("reason", one.reason())
          .put("opensAt", ScheduleView.text(one.opensAt()));
    }
  }

  /** The gates that the job has to pass, and those that have counted it. */
  private Set<GateKey> concerned() {
    Set<GateKey> keys = new TreeSet<>(GateKey.ORDER);
    Compiled compiled = given.compiled();
    boolean waits = job.state() == JobState.PENDING_CONSTRAINT && !job.ignoresConstraints();
    if (waits && compiled != null) {
      String namespace = job.id().schedule().namespace();
      keys.addAll(GateViews.keys(compiled.schedule().constraints(), namespace, job.program()));
    }
    if (!job.isEnded() && job.ticket() != null) {
      keys.addAll(job.ticket().gates());
    }
    if (job.waitsAt() != null) {
      keys.add(job.waitsAt());
    }
    return keys;
  }

  /** Adds the gates. The gate where the job waits also shows its place. */
  private void addGates(Map<GateKey, Gate> found, ArrayNode list) {
    for (GateKey key : concerned()) {
      Integer place = key.equals(job.waitsAt()) ? gates.place(key, job) : null;
      list.add(gates.gate(found.getOrDefault(key, Gate.unused(key)), now).put("place", place));
    }
  }

  /** When the job is checked next; null if only an event or a report can change its state. */
  private @Nullable Instant nextCheck(Map<GateKey, Gate> found) {
    GateKey queue = job.waitsAt();
    if (queue != null) {
      return soonest(found.getOrDefault(queue, Gate.unused(queue)).wakeAt());
    }
    if (job.isEnded() || job.isSuspended()) {
      return null;
    }
    if (ready != null) {
      return ready.nextCheck();
    }
    if (job.state() == JobState.PENDING_LAUNCH) {
      return job.launchingUntil();
    }
    Instant reportBy = job.reportBy();
    if (reportBy != null) {
      return reportBy;
    }
    return job.notBefore() == null ? job.attentionAt() : job.notBefore();
  }

  /** The check of a gate that wakes the job, or the job's time-out if that is earlier. */
  private @Nullable Instant soonest(@Nullable Instant check) {
    Optional<Instant> end = job.attempt() > 1 ? Optional.empty() : explained.endAhead(job.id());
    return end.filter(it -> check == null || it.isBefore(check)).orElse(check);
  }

  private String summary() {
    if (decision instanceof End end && end.state() == JobState.CANCELLED) {
      return end.reason().text() + "; the job will be cancelled";
    }
    return switch (job.state()) {
      case PENDING_CONSTRAINT -> pendingConstraint();
      case READY -> inPool(Objects.requireNonNull(ready));
      case ENQUEUED, CLAIMED, RUNNING, RETRY_WAIT -> RunExplanation.of(job, given);
      case PENDING_LAUNCH ->
          job.isBeingLaunched(now)
              ? "its request is being sent"
              : "its launch was interrupted and is being repeated";
      case LAUNCHED ->
          "its request was accepted by the target queue at "
              + ScheduleView.text(job.launchedAt())
              + "; Carillon does not follow its run";
      case SUCCEEDED -> "its run succeeded: " + job.lastReason();
      case FAILED -> failed();
      case SKIPPED -> "it was skipped: " + job.lastReason();
      case TIMED_OUT -> "it timed out: " + job.lastReason();
      case CANCELLED -> "it was cancelled: " + job.lastReason();
      default -> "it is " + job.state();
    };
  }

  private String failed() {
    Reason why = job.newestReason();
    boolean isUnclaimed = why != null && why.code() == ReasonCode.CLAIM_MISSING;
    return "it failed: "
        + job.lastReason()
        + (isUnclaimed ? RunExplanation.unclaimed(job.attempt()) : "");
  }

  private String inPool(ReadyExplanation waiting) {
    if (decision instanceof End end) {
      return "its next check ends it as %s: %s".formatted(end.state(), end.reason().text());
    }
    return decision instanceof JobDecision.Suspend ? waiting.untilResumed() : waiting.summary();
  }

  private String pendingConstraint() {
    if (job.isSuspended()) {
      Head.Suspension suspension = given.head() == null ? null : given.head().suspension();
      return suspension == null
          ? "the suspension of its schedule has ended; it is about to be launched"
          : "it waits until its schedule is resumed; the schedule was " + suspension.description();
    }
    if (decision instanceof End end) {
      return "its next check ends it as %s: %s".formatted(end.state(), end.reason().text());
    }
    if (decision instanceof KeepPlace wait) {
      return "it waits until it can pass " + wait.gate().shown();
    }
    if (decision instanceof WaitAtGate wait) {
      return "it waits until it can pass " + wait.gate().shown();
    }
    if (decision instanceof WaitForOpening wait) {
      return "its constraints are not satisfied; its next check is at "
          + ScheduleView.text(wait.opening());
    }
    if (decision instanceof JobDecision.Enter enter) {
      return "its trigger is satisfied; it is about to enter the pool " + enter.pool();
    }
    if (job.notBefore() == null || decision instanceof JobDecision.Launch) {
      return "its trigger is satisfied; it is about to be launched";
    }
    return job.isRefused()
        ? "its request was refused; the next attempt is at " + ScheduleView.text(job.notBefore())
        : "its constraints are not satisfied; its next check is at "
            + ScheduleView.text(job.notBefore());
  }
}
