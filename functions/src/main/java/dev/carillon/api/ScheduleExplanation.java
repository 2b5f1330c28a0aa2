package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Constraints;
import dev.carillon.constraint.GateConstraint;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.id.GateKey;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explains the state of a schedule: its next fire, its collecting job, and what its jobs wait for.
 */
final class ScheduleExplanation {

  private static final int MOST_COUNTED = 1_000;

  private final Head head;
  private final Compiled compiled;
  private final CollectingExplanation collecting;
  private final GateViews gates;
  private final Instant now;
  private final Deadline deadline;

  /**
   * @param deadline when the fires of a backlog are no longer counted
   */
  ScheduleExplanation(
      Lookup lookup,
      Jobs jobs,
      GateViews gates,
      StoredSchedule stored,
      Instant now,
      Deadline deadline) {
    this.head = stored.head();
    this.compiled = lookup.compiled(stored.definition());
    this.collecting = new CollectingExplanation(new Explained(head, compiled, now), jobs);
    this.gates = gates;
    this.now = now;
    this.deadline = deadline;
  }

  /**
   * @param nextFire null for none
   * @param collectingJob its collecting job; null if there is none
   * @param newest its newest jobs, in order
   */
  ObjectNode of(
      @Nullable Instant nextFire, @Nullable CollectingJob collectingJob, List<Job> newest) {
    Instant elapses = collecting.nextElapse(collectingJob);
    ObjectNode explanation =
        Json.object()
            .put("namespace", head.id().namespace())
            .put("name", head.id().name())
            .put("state", head.state().name())
            .put("summary", summary(nextFire, elapses))
            .put("trigger", TriggerText.of(compiled))
            .put("nextFire", ScheduleView.text(nextFire));
    explanation.set("suspended", ScheduleView.suspended(head.suspension()));
    explanation.set("excluded", excluded(compiled));
    explanation
        .put("unfinishedJobs", newest.stream().filter(job -> !job.isEnded()).count())
        .put("waitsBecause", newestReasonToWait(newest));
    explanation.put("elapses", ScheduleView.text(elapses));
    addLimits(compiled.schedule(), explanation.putArray("limits"));
    explanation.set("collecting", collecting.within(collectingJob));
    return explanation;
  }

  private void addLimits(Schedule schedule, ArrayNode limits) {
    Constraints constraints = schedule.constraints();
    String namespace = schedule.id().namespace();
    Map<GateKey, Gate> found =
        gates.find(GateViews.keys(constraints, namespace, schedule.program()));
    for (GateConstraint constraint : constraints.atGates()) {
      GateKey key = constraint.limit().gate(namespace, schedule.program());
      Gate gate = found.getOrDefault(key, Gate.unused(key));
      limits.add(GateViews.limit(constraint.limit(), gate, now));
    }
  }

  /** The fires that calendars exclude; null if the schedule names no calendar. */
  private @Nullable ObjectNode excluded(Compiled known) {
    Set<String> named = known.schedule().trigger().calendars();
    if (named.isEmpty()) {
      return null;
    }
    ObjectNode excluded = Json.object();
    ArrayNode calendars = excluded.putArray("calendars");
    ArrayNode missing = excluded.putArray("missing");
    named.forEach(name -> (known.calendars().containsKey(name) ? calendars : missing).add(name));
    ScheduleFires all = ScheduleFires.of(new Compiled(known.definition(), known.schedule()));
    Instant last = all.previous(now.plusMillis(1)).map(ScheduleFires.Moment::at).orElse(null);
    Instant next = all.next(now).map(ScheduleFires.Moment::at).orElse(null);
    excluded.set("lastFire", exclusion(known, last));
    excluded.set("nextFire", exclusion(known, next));
    return excluded;
  }

  private static @Nullable ObjectNode exclusion(Compiled known, @Nullable Instant fire) {
    if (fire == null || !known.isExcluded(fire)) {
      return null;
    }
    ObjectNode exclusion = Json.object().put("at", Timestamps.text(fire));
    known.excludedBy(fire).forEach(exclusion.putArray("by")::add);
    return exclusion;
  }

  private static @Nullable String newestReasonToWait(List<Job> newest) {
    return newest.stream()
        .filter(Job::isWaiting)
        .findFirst()
        .map(job -> job.id() + ": " + job.lastReason())
        .orElse(null);
  }

  private String summary(@Nullable Instant nextFire, @Nullable Instant elapses) {
    return switch (head.state()) {
      case ACTIVE -> active(nextFire, elapses);
      case SUSPENDED -> suspended();
      case COMPLETED -> "it is completed: its last fire was launched or skipped, or has passed";
      case DELETED -> "it is deleted";
    };
  }

  private static String active(@Nullable Instant nextFire, @Nullable Instant elapses) {
    if (nextFire != null) {
      return "it is active and fires next at " + Timestamps.text(nextFire);
    }
    return elapses == null
        ? "it is active and waits for events or a manual launch"
        : "it is active; the next period of its trigger elapses at " + Timestamps.text(elapses);
  }

  private String suspended() {
    Head.Suspension suspension = head.suspension();
    if (suspension == null) {
      return "it is suspended";
    }
    if (!suspension.isNeverActivated()) {
      return "it was " + suspension.description() + backlog(suspension);
    }
    return compiled.isExhausted(now)
        ? "it was never activated, and all its times have passed; store it with a new trigger"
        : ("it was never activated; activate it by POST /v1/namespaces/%s/schedules/%s/resume,"
                + " or store it with \"state\": \"ACTIVE\"")
            .formatted(head.id().namespace(), head.id().name());
  }

  /** The plain fires that a backlog keeps. Everything else that it keeps is a job. */
  private String backlog(Head.Suspension suspension) {
    Schedule schedule = compiled.schedule();
    boolean keepsFires =
        suspension.mode() == SuspendMode.BACKLOG
            && schedule.trigger().isPlainTime()
            && !schedule.mergesOrSkipsFires();
    Instant since = later(suspension.at(), head.life().beganAt());
    String kept = keepsFires ? firesSince(since) : "0";
    return kept.equals("0") ? "" : "; fires kept since then, to be launched on resume: " + kept;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** How many fires were due since an instant; if that takes long, more than how many. */
  private String firesSince(Instant since) {
    ScheduleFires fires = ScheduleFires.of(compiled);
    int found = 0;
    Optional<ScheduleFires.Moment> fire = fires.next(since);
    while (fire.isPresent() && !fire.get().at().isAfter(now)) {
      if (found == MOST_COUNTED || deadline.hasPassed()) {
        return "more than " + found;
      }
      found++;
      fire = fires.next(fire.get().at());
    }
    return Integer.toString(found);
  }
}
