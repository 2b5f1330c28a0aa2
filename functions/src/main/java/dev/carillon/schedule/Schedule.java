package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Constraints;
import dev.carillon.constraint.GateConstraint;
import dev.carillon.gate.GateDemands;
import dev.carillon.id.ScheduleId;
import dev.carillon.run.RunPolicy;
import dev.carillon.time.FireTimes;
import dev.carillon.timer.CatchUp;
import dev.carillon.trigger.TimeLeaves;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A valid schedule document.
 *
 * @param program the name of the program that it launches, without the namespace
 * @param pool the pool that its jobs wait in, or {@link #MATCHING_POOL}; null for none
 * @param onEnd the destination and the content of the callback when a job ends; null for none
 * @param priority a number from 0 to 9, or a template that renders to such a number
 * @param customer a template of the customer; null for none
 * @param catchUp which missed fires launch; always all of them unless {@code trigger.isPlainTime()}
 * @param timeout how long its jobs wait at most; null for no limit
 * @param runs how the runs of its jobs are tracked and retried; null if they are not
 * @param whilePending the effect of fires and events while one of its jobs waits
 * @param deleteAfterCompletion whether the schedule is deleted when it is completed; otherwise it
 *     is kept COMPLETED
 * @param state the state that the document asks for; null if it asks for none
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
    @Nullable String pool,
    @Nullable Target onEnd,
    JsonNode priority,
    ObjectNode properties,
    CatchUp catchUp,
    @Nullable Timeout timeout,
    WhilePending whilePending,
    @Nullable RunPolicy runs,
    boolean deleteAfterCompletion,
    @Nullable ScheduleState state,
    ObjectNode document) {

  /**
   * Stands for a pool's name. The pool is then the first one, by name, whose pattern matches the
   * request.
   */
  public static final String MATCHING_POOL = "match";

  /**
   * The index keys by which it is found: those of its trigger, and that of the pool that it names.
   */
  public Set<String> indexKeys() {
    if (pool == null || pool.equals(MATCHING_POOL)) {
      return trigger.indexKeys();
    }
    Set<String> keys = new HashSet<>(trigger.indexKeys());
    keys.add(poolKey(pool));
    return keys;
  }

  /** The index key of the schedules that name a pool; no event has such a key. */
  public static String poolKey(String pool) {
    return "pool:" + pool;
  }

  /** The limits that it sets at gates. */
  public GateDemands demands() {
    return new GateDemands(
        program, constraints.atGates().stream().map(GateConstraint::limit).toList());
  }

  /**
   * The instants at which a time leaf of its trigger fires.
   *
   * @param generationSince the anchor of a rate that has none of its own
   */
  public FireTimes fireTimes(TimeLeaf leaf, Instant generationSince) {
    return TimeLeaves.fireTimes(leaf, id, zone, generationSince);
  }

  /** Whether a fire makes its own job if no other job waits, and is otherwise merged or skipped. */
  public boolean mergesOrSkipsFires() {
    return whilePending != WhilePending.QUEUE && trigger.isPlainTime();
  }

  /** Whether fires or events are stored in a collecting job before they make a job. */
  public boolean usesCollectingJob() {
    return mergesOrSkipsFires() || !trigger.isPlainTime();
  }

  /** Whether a change from {@code stored} to this schedule keeps the generation. */
  public boolean isSameGenerationAs(Schedule stored) {
    return isSameGenerationAs(stored.document);
  }

  /** Whether a change from a stored document, readable or not, keeps the generation. */
  public boolean isSameGenerationAs(ObjectNode stored) {
    return withoutLabels(document).equals(withoutLabels(stored));
  }

  private static ObjectNode withoutLabels(ObjectNode document) {
    return document.deepCopy().without(List.of("description", "tags"));
  }

  /** Returns this schedule without a requested state. */
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
        pool,
        onEnd,
        priority,
        properties,
        catchUp,
        timeout,
        whilePending,
        runs,
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
        pool,
        onEnd,
        priority,
        properties,
        catchUp,
        timeout,
        whilePending,
        runs,
        deleteAfterCompletion,
        state,
        canonical);
  }
}
