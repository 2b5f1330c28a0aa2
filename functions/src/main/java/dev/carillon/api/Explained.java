package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.job.JobState;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.job.TriggerState;
import dev.carillon.launch.TriggerInformation;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Timeout;
import dev.carillon.time.Timestamps;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.ClockLeaf;
import dev.carillon.trigger.Trigger.EventLeaf;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state that explanations of a schedule and of its jobs share.
 *
 * @param head null if there never was such a schedule
 * @param compiled null if it is deleted
 */
record Explained(@Nullable Head head, @Nullable Compiled compiled, Instant now) {

  /** The definition of a job's own generation; null if the schedule has changed since. */
  @Nullable Compiled of(JobId job) {
    return compiled != null && compiled.definition().generation() == job.generation()
        ? compiled
        : null;
  }

  /**
   * When a waiting job times out, and what the time-out does; null if the job never times out or
   * its schedule is suspended.
   */
  @Nullable ObjectNode timesOut(JobId job) {
    Compiled known = of(job);
    if (known == null) {
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

  Optional<Instant> end(JobId job) {
    return timeouts().flatMap(policy -> policy.end(job));
  }

  /** Like {@link #end}, but empty if that instant has passed. */
  Optional<Instant> endAhead(JobId job) {
    return timeouts().flatMap(policy -> policy.endAhead(job, now));
  }

  private Optional<TimeoutPolicy> timeouts() {
    return compiled == null || head == null
        ? Optional.empty()
        : Optional.of(new TimeoutPolicy(compiled.schedule(), head.asOf(now)));
  }

  static ObjectNode explanation(JobId id, JobState state, String summary, ArrayNode unsatisfied) {
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

  /**
   * The counts of the leaves. Their types and keys are shown only while the job's generation is
   * current.
   */
  ArrayNode leaves(JobId id, TriggerState triggerState, boolean unsatisfiedOnly) {
    Compiled own = of(id);
    List<Trigger.Leaf> known = own == null ? List.of() : own.schedule().trigger().leaves();
    ArrayNode leaves = Json.object().arrayNode();
    for (int number = 0; number < triggerState.leaves().size(); number++) {
      LeafCount count = triggerState.leaves().get(number);
      if (!unsatisfiedOnly || !count.isSatisfied()) {
        Trigger.Leaf leaf = number < known.size() ? known.get(number) : null;
        leaves.add(leaf(number, leaf, count));
      }
    }
    return leaves;
  }

  /** What the trigger of a job has counted, with the kept events. */
  ObjectNode trigger(JobId id, TriggerState triggerState) {
    ObjectNode trigger = Json.object();
    trigger.set("leaves", leaves(id, triggerState, false));
    ArrayNode events = trigger.putArray("events");
    triggerState.events().forEach(event -> events.add(TriggerInformation.json(event)));
    return trigger.put("eventsOmitted", triggerState.eventsOmitted());
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
