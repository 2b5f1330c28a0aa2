package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.collect.LeafClocks;
import dev.carillon.constraint.Constraints;
import dev.carillon.constraint.Constraints.Unmet;
import dev.carillon.constraint.GateConstraint;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Occasion;
import dev.carillon.job.Patience;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.Timeout;
import dev.carillon.time.Timestamps;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.ClockLeaf;
import dev.carillon.trigger.Trigger.EventLeaf;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why a schedule or a job is as it is: why has it not run, and when is it looked at next? */
final class Explanations {

  private final @Nullable Head head;
  private final @Nullable StoredSchedule stored;
  private final @Nullable Compiled compiled;
  private final GateViews gates;
  private final Instant now;

  /**
   * @param head null if there never was such a schedule
   * @param stored null if it is deleted
   */
  Explanations(
      Lookup lookup,
      GateViews gates,
      @Nullable Head head,
      @Nullable StoredSchedule stored,
      Instant now) {
    this.gates = gates;
    this.head = head;
    this.stored = stored;
    this.compiled = stored == null ? null : lookup.compiled(stored.definition());
    this.now = now;
  }

  /**
   * Of the schedule itself.
   *
   * @param nextFire null for none
   * @param collectingJob what it has counted; null if it counts nothing
   * @param newest its newest jobs, newest first
   */
  ObjectNode ofSchedule(
      @Nullable Instant nextFire, @Nullable CollectingJob collectingJob, List<Job> newest) {
    if (head == null || stored == null || compiled == null) {
      throw new IllegalStateException("a schedule that is not stored has no explanation");
    }
    ObjectNode explanation =
        Json.object()
            .put("namespace", head.id().namespace())
            .put("name", head.id().name())
            .put("state", head.state().name())
            .put("summary", summary(head, nextFire))
            .put("trigger", TriggerText.of(compiled))
            .put("nextFire", ScheduleView.text(nextFire));
    explanation.set("suspended", ScheduleView.suspended(head.suspension()));
    explanation.set("excluded", excluded(compiled));
    explanation
        .put("unfinishedJobs", newest.stream().filter(job -> !job.isEnded()).count())
        .put("waitsBecause", newestReasonToWait(newest));
    explanation.put("elapses", ScheduleView.text(elapses(collectingJob)));
    addLimits(compiled.schedule(), explanation.putArray("limits"));
    OpenJob open = collectingJob == null ? null : collectingJob.open();
    if (open == null || collectingJob == null) {
      return explanation.putNull("collecting");
    }
    ObjectNode collecting = explanation.putObject("collecting");
    collecting
        .put("jobId", open.id().toString())
        .put("since", Timestamps.text(open.openedAt()))
        .put("willBeCancelled", isDropped(collectingJob))
        .set("leaves", leaves(open.id(), open.occasion(), false));
    collecting.set("timesOut", isDropped(collectingJob) ? null : timesOut(open.id()));
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

  /** When time that passes satisfies a leaf next, if nothing happens; null for never. */
  private @Nullable Instant elapses(@Nullable CollectingJob collectingJob) {
    if (head == null || !head.opensJobs()) {
      return null;
    }
    CollectingJob counted =
        collectingJob == null || isDropped(collectingJob)
            ? new CollectingJob(head.id(), 0, 0, head.activation(), 1, head.opensSince(), null)
            : collectingJob;
    OpenJob open = counted.open();
    return dueOf(counted, open == null ? null : open.occasion()).orElse(null);
  }

  /** What calendars take away; null if none are named. */
  private @Nullable ObjectNode excluded(Compiled known) {
    Set<String> named = known.schedule().trigger().calendars();
    if (named.isEmpty()) {
      return null;
    }
    ObjectNode excluded = Json.object();
    ArrayNode calendars = excluded.putArray("calendars");
    ArrayNode missing = excluded.putArray("missing");
    named.forEach(name -> (known.calendars().containsKey(name) ? calendars : missing).add(name));
    Calendar all = Calendar.of(new Compiled(known.definition(), known.schedule()));
    Instant last = all.previous(now.plusMillis(1)).map(Calendar.Moment::at).orElse(null);
    Instant next = all.next(now).map(Calendar.Moment::at).orElse(null);
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

  private static String summary(Head head, @Nullable Instant nextFire) {
    return switch (head.state()) {
      case ACTIVE ->
          nextFire == null
              ? "it is active and waits for events, or to be launched by hand"
              : "it is active and fires next at " + Timestamps.text(nextFire);
      case SUSPENDED -> suspended(head);
      case COMPLETED -> "it is over: its last fire has been launched, skipped or passed";
      case DELETED -> "it is deleted";
    };
  }

  private static String suspended(Head head) {
    Head.Suspension suspension = head.suspension();
    if (suspension == null) {
      return "it is suspended";
    }
    return suspension.isOfNew()
        ? ("it was never activated; activate it by POST /v1/namespaces/%s/schedules/%s/resume,"
                + " or store it with \"state\": \"ACTIVE\"")
            .formatted(head.id().namespace(), head.id().name())
        : "it was " + suspension.told();
  }

  /** Of the job that is still collecting. */
  ObjectNode ofOpen(CollectingJob collectingJob) {
    OpenJob open = collectingJob.open();
    if (open == null) {
      throw new IllegalStateException("nothing is collected for " + collectingJob.schedule());
    }
    ArrayNode unsatisfied = leaves(open.id(), open.occasion(), true);
    boolean dropped = isDropped(collectingJob);
    String summary =
        dropped
            ? "its schedule was changed, suspended or deleted: it will be cancelled"
            : "it waits for its trigger: "
                + unsatisfied.size()
                + " of "
                + open.occasion().leaves().size()
                + " conditions are not satisfied";
    Instant look = dropped ? null : nextLookAt(collectingJob, open);
    ObjectNode explanation =
        explanation(open.id(), JobState.PENDING_TRIGGER, summary, unsatisfied)
            .putNull("waitsBecause")
            .put("nextLook", ScheduleView.text(look));
    explanation.set("timesOut", dropped ? null : timesOut(open.id()));
    return explanation.putNull("launch");
  }

  /**
   * When a job that waits is waited for no longer, and what then; null for never, or while it is
   * held.
   */
  private @Nullable ObjectNode timesOut(JobId job) {
    Compiled known = compiled;
    if (known == null || known.definition().generation() != job.generation()) {
      return null;
    }
    Timeout timeout = known.schedule().timeout();
    Instant end = end(job).orElse(null);
    return timeout == null || end == null
        ? null
        : Json.object()
            .put("at", Timestamps.text(end))
            .put("action", timeout.action().name().toLowerCase(Locale.ROOT));
  }

  private Optional<Instant> end(JobId job) {
    return compiled == null || head == null
        ? Optional.empty()
        : new Patience(compiled.schedule(), head.asOf(now)).end(job);
  }

  private boolean isDropped(CollectingJob collectingJob) {
    return head == null || head.isDeleted() || collectingJob.activation() < head.cancelBelow();
  }

  /** When time does something to a job that is collected: a fire, time that passes, a time-out. */
  private @Nullable Instant nextLookAt(CollectingJob collectingJob, OpenJob open) {
    return Stream.of(
            Optional.ofNullable(nextFireFor(open.occasion())),
            dueOf(collectingJob, open.occasion()),
            end(open.id()))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private Optional<Instant> dueOf(CollectingJob collectingJob, @Nullable Occasion occasion) {
    Compiled known = compiled;
    if (known == null || head == null) {
      return Optional.empty();
    }
    List<Trigger.Leaf> leaves = known.schedule().trigger().leaves();
    Set<Integer> satisfied =
        IntStream.range(0, occasion == null ? 0 : occasion.leaves().size())
            .filter(number -> occasion != null && occasion.leaves().get(number).isSatisfied())
            .boxed()
            .collect(Collectors.toSet());
    return new LeafClocks(leaves, collectingJob.clocks(), head.opensSince()).due(satisfied);
  }

  /** When a time leaf that has not fired yet does. */
  private @Nullable Instant nextFireFor(Occasion occasion) {
    Compiled known = compiled;
    if (known == null) {
      return null;
    }
    List<Trigger.Leaf> leaves = known.schedule().trigger().leaves();
    return IntStream.range(0, Math.min(leaves.size(), occasion.leaves().size()))
        .filter(number -> !occasion.leaves().get(number).isSatisfied())
        .mapToObj(leaves::get)
        .flatMap(leaf -> nextFire(known, leaf).stream())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private Optional<Instant> nextFire(Compiled known, Trigger.Leaf leaf) {
    return leaf instanceof TimeLeaf time
        ? known.fireTimes(time).next(now).map(fire -> fire.at())
        : Optional.empty();
  }

  /** Of a job whose trigger was satisfied, or that needed none. */
  ObjectNode ofJob(Job job) {
    Occasion occasion = job.occasion();
    ArrayNode unsatisfied =
        occasion == null ? Json.object().arrayNode() : leaves(job.id(), occasion, true);
    boolean waits = job.isWaiting();
    ObjectNode timesOut = waits(job) ? timesOut(job.id()) : null;
    Map<GateKey, Gate> found = gates.find(gatesOf(job));
    Instant look = nextLook(job, found);
    ObjectNode explanation = explanation(job.id(), job.state(), summary(job), unsatisfied);
    addUnmet(job, found, explanation.withArray("unmetConstraints"));
    addGates(job, found, explanation.withArray("gates"));
    explanation
        .put("waitsBecause", waits ? job.lastReason() : null)
        .put("nextLook", ScheduleView.text(look));
    explanation.set("timesOut", timesOut);
    explanation
        .putObject("launch")
        .put("attempt", job.attempt())
        .put("launchedAt", ScheduleView.text(job.launchedAt()))
        .put("refusals", job.refusals());
    return explanation;
  }

  private static boolean waits(Job job) {
    return job.state() == JobState.PENDING_CONSTRAINT && !job.isSuspended();
  }

  /** What its schedule asks for; null if that has changed since, or it asks for nothing more. */
  private @Nullable Constraints constraints(Job job) {
    Compiled known = compiled;
    boolean waits = job.state() == JobState.PENDING_CONSTRAINT && !job.ignoresConstraints();
    return waits && known != null && known.definition().generation() == job.id().generation()
        ? known.schedule().constraints()
        : null;
  }

  /** Those that it has to pass, or holds a slot of. */
  private Set<GateKey> gatesOf(Job job) {
    Set<GateKey> keys = new TreeSet<>(GateKey.ORDER);
    Constraints constraints = constraints(job);
    if (constraints != null) {
      keys.addAll(GateViews.keys(constraints, job.id().schedule().namespace(), job.program()));
    }
    if (!job.isEnded() && job.passage() != null) {
      keys.addAll(job.passage().gates());
    }
    if (job.waitsAt() != null) {
      keys.add(job.waitsAt());
    }
    return keys;
  }

  private void addUnmet(Job job, Map<GateKey, Gate> found, ArrayNode list) {
    Constraints constraints = constraints(job);
    if (constraints == null) {
      return;
    }
    String namespace = job.id().schedule().namespace();
    List<Unmet> unmet = new ArrayList<>(constraints.unmetByClock(job.triggeredAt(), now));
    unmet.addAll(GateViews.unmet(constraints, namespace, job.program(), found, job.id(), now));
    for (Unmet one : unmet) {
      list.addObject()
          .put("type", one.constraint().type())
          .put("reason", one.reason())
          .put("opensAt", ScheduleView.text(one.opensAt()));
    }
  }

  /** With the place that it has where it waits. */
  private void addGates(Job job, Map<GateKey, Gate> found, ArrayNode list) {
    for (GateKey key : gatesOf(job)) {
      Integer place = key.equals(job.waitsAt()) ? gates.place(key, job) : null;
      list.add(gates.gate(found.getOrDefault(key, Gate.unused(key)), now).put("place", place));
    }
  }

  /** Null if only an event brings it on. */
  private static @Nullable Instant nextLook(Job job, Map<GateKey, Gate> found) {
    GateKey queue = job.waitsAt();
    if (queue != null) {
      return found.getOrDefault(queue, Gate.unused(queue)).wakeAt();
    }
    if (job.isEnded() || job.isSuspended()) {
      return null;
    }
    if (job.state() == JobState.PENDING_LAUNCH) {
      return job.launchingUntil();
    }
    return job.notBefore() == null ? job.attentionAt() : job.notBefore();
  }

  private String pendingConstraint(Job job) {
    if (job.isSuspended()) {
      Head.Suspension suspension = head == null ? null : head.suspension();
      return suspension == null
          ? "its schedule's suspension is over; it is about to be launched"
          : "it waits until its schedule is resumed, which was " + suspension.told();
    }
    if (job.waitsAt() != null) {
      return "it waits until " + job.waitsAt().shown() + " lets it through";
    }
    if (job.notBefore() == null) {
      return "its trigger is satisfied; it is about to be launched";
    }
    return job.isRefused()
        ? "its request was refused; it is tried again at " + job.notBefore()
        : "its constraints do not hold; it is looked at again at " + job.notBefore();
  }

  private String summary(Job job) {
    boolean unwanted = head == null || !head.wantsJob(job.id().generation(), job.activation());
    if (!job.isEnded() && unwanted && !job.isBeingLaunched(now)) {
      return "its schedule was changed, suspended or deleted: it will be cancelled";
    }
    return switch (job.state()) {
      case PENDING_CONSTRAINT -> pendingConstraint(job);
      case ENQUEUED ->
          "its request was accepted at "
              + job.launchedAt()
              + "; it holds its slots until its end is reported";
      case PENDING_LAUNCH ->
          job.isBeingLaunched(now)
              ? "its request is being sent"
              : "its launch was interrupted and is taken up again";
      case SUCCEEDED -> "its request was accepted by the target queue at " + job.launchedAt();
      case FAILED -> "it failed: " + job.lastReason();
      case SKIPPED -> "it was skipped: " + job.lastReason();
      case TIMED_OUT -> "it timed out: " + job.lastReason();
      case CANCELLED -> "it was cancelled: " + job.lastReason();
      default -> "it is " + job.state();
    };
  }

  private static ObjectNode explanation(
      JobId id, JobState state, String summary, ArrayNode unsatisfied) {
    ObjectNode explanation =
        Json.object()
            .put("jobId", id.toString())
            .put("schedule", id.schedule().name())
            .put("state", state.name())
            .put("summary", summary);
    explanation.set("unsatisfied", unsatisfied);
    explanation.putArray("unmetConstraints");
    explanation.putArray("gates");
    return explanation;
  }

  /** What the leaves have and need; their types and keys as long as the generation is there. */
  private ArrayNode leaves(JobId id, Occasion occasion, boolean unsatisfiedOnly) {
    List<Trigger.Leaf> known =
        compiled != null && compiled.definition().generation() == id.generation()
            ? compiled.schedule().trigger().leaves()
            : List.of();
    ArrayNode leaves = Json.object().arrayNode();
    for (int number = 0; number < occasion.leaves().size(); number++) {
      LeafCount count = occasion.leaves().get(number);
      if (!unsatisfiedOnly || !count.isSatisfied()) {
        Trigger.Leaf leaf = number < known.size() ? known.get(number) : null;
        leaves.add(leaf(number, leaf, count));
      }
    }
    return leaves;
  }

  private static ObjectNode leaf(int number, Trigger.@Nullable Leaf leaf, LeafCount count) {
    ObjectNode view =
        Json.object().put("leaf", number).put("type", leaf == null ? null : TriggerText.type(leaf));
    ArrayNode keys = view.putArray("keys");
    if (leaf instanceof EventLeaf || leaf instanceof ClockLeaf) {
      leaf.eventKeys().forEach(keys::add);
    }
    return view.put("have", count.actual())
        .put("need", count.expected())
        .put("satisfied", count.isSatisfied());
  }
}
