package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Constraints;
import dev.carillon.constraint.GateConstraint;
import dev.carillon.gate.GateDemands;
import dev.carillon.id.ScheduleId;
import dev.carillon.time.FireTimes;
import dev.carillon.timer.CatchUp;
import dev.carillon.trigger.TimeLeaves;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schedule document that was found valid.
 *
 * @param program the bare name of what it launches
 * @param priority 0 to 9 or a template that renders to one
 * @param customer a template; null for none
 * @param catchUp which missed fires are made up for; all of a trigger of which not every fire is a
 *     job
 * @param timeout how long its jobs wait at most; null for no bound
 * @param whilePending what fires and events do while one of its jobs waits
 * @param deleteAfterCompletion whether it is deleted, rather than kept COMPLETED
 * @param state the state that the document asks for; null if it does not say
 * @param document the document with all defaults, without {@code state}
 */
public record Schedule(
    ScheduleId id,
    String program,
    @Nullable String app,
    Map<String, String> tags,
    @Nullable String customer,
    ZoneId zone,
    Trigger trigger,
    Constraints constraints,
    Target target,
    JsonNode priority,
    ObjectNode properties,
    CatchUp catchUp,
    @Nullable Timeout timeout,
    WhilePending whilePending,
    boolean deleteAfterCompletion,
    @Nullable ScheduleState state,
    ObjectNode document) {

  /** What it asks of gates. */
  public GateDemands demands() {
    return new GateDemands(
        program, constraints.atGates().stream().map(GateConstraint::limit).toList());
  }

  /**
   * When one of its time leaves fires.
   *
   * @param generationSince the anchor of a rate without one of its own
   */
  public FireTimes fireTimes(TimeLeaf leaf, Instant generationSince) {
    return TimeLeaves.fireTimes(leaf, id, zone, generationSince);
  }

  /** Whether each of its fires is a job by itself, but only if no other job waits. */
  public boolean mergesOrSkipsFires() {
    return whilePending != WhilePending.QUEUE && trigger.isPlainTime();
  }

  /** Whether a change from {@code stored} to this one leaves the generation as it is. */
  public boolean isSameGenerationAs(Schedule stored) {
    return withoutLabels(document).equals(withoutLabels(stored.document));
  }

  private static ObjectNode withoutLabels(ObjectNode document) {
    return document.deepCopy().without(List.of("description", "tags"));
  }

  /** The same, but asking for no state. */
  public Schedule withoutState() {
    return new Schedule(
        id,
        program,
        app,
        tags,
        customer,
        zone,
        trigger,
        constraints,
        target,
        priority,
        properties,
        catchUp,
        timeout,
        whilePending,
        deleteAfterCompletion,
        null,
        document);
  }

  Schedule withDocument(ObjectNode canonical) {
    return new Schedule(
        id,
        program,
        app,
        tags,
        customer,
        zone,
        trigger,
        constraints,
        target,
        priority,
        properties,
        catchUp,
        timeout,
        whilePending,
        deleteAfterCompletion,
        state,
        canonical);
  }
}
