package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.gate.GateDemands;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.timer.Timer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where schedules are kept: head, definition and trigger entries, changed together. */
public interface Schedules {

  /**
   * The head of each that was ever stored, tombstones included. Consistent.
   *
   * @throws UnreadableSchedules if some heads cannot be read
   */
  Map<ScheduleId, Head> heads(Collection<ScheduleId> ids);

  /**
   * What a launch has to know: the heads, and what is asked of gates. Consistent.
   *
   * @throws UnreadableSchedules if some heads cannot be read
   */
  Launching forLaunch(Collection<ScheduleId> ids);

  /**
   * @param gated by namespace; one for each namespace of the heads
   * @param definitions those that come with their heads for nothing; others have to be read
   */
  record Launching(
      Map<ScheduleId, Head> heads,
      Map<String, GatedPrograms> gated,
      Map<ScheduleId, Definition> definitions) {}

  /**
   * The heads as they are or were a moment ago, at half the price: one that is missing may exist,
   * one that is found may have been followed by a later one.
   *
   * @throws UnreadableSchedules if some heads cannot be read
   */
  default Map<ScheduleId, Head> recentHeads(Collection<ScheduleId> ids) {
    return heads(ids);
  }

  /** Head and definition, consistent with each other; empty if absent or deleted. */
  Optional<StoredSchedule> find(ScheduleId id);

  /** The definitions of those that are not deleted and can be read. Consistent. */
  Map<ScheduleId, Definition> definitions(Collection<ScheduleId> ids);

  /** The definitions as they are or were a moment ago, at half the price. */
  default Map<ScheduleId, Definition> recentDefinitions(Collection<ScheduleId> ids) {
    return definitions(ids);
  }

  /**
   * Stores a change in one transaction: the head, the definition (null deletes it), the trigger
   * entries (those of {@code before} go, those of {@code after} come) and new timers.
   *
   * @return false if the stored head's version is not {@code change.before()}'s: nothing was
   *     changed
   * @throws TooManyDemandsException if there is no room for what it asks of gates: nothing was
   *     changed
   */
  boolean save(Change change);

  /** What the schedules of a namespace ask of gates is more than is stored for one. */
  final class TooManyDemandsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TooManyDemandsException(@Nullable Throwable cause) {
      super(cause);
    }
  }

  /**
   * One page of the schedules of a namespace that are not deleted, by name. May lag behind changes
   * by the time an index needs.
   */
  Page<StoredSchedule> list(String namespace, ListFilter filter, int limit, @Nullable String next);

  /** The programs that the namespace's schedules launch; from an index, so it may lag. */
  Set<String> programs(String namespace);

  /** The schedules with a trigger entry for the key; from the index, so it may lag. */
  Set<ScheduleId> withEventKey(String namespace, String eventKey);

  /** Whether the index behind {@link #withEventKey} shows every one of the entries. */
  boolean indexShows(ScheduleId id, long generation, Set<String> eventKeys);

  /** Every schedule in state ACTIVE, page by page, for the daily audit only. */
  Page<StoredSchedule> walk(int limit, @Nullable String next);

  /**
   * @param before the head that was read; null if there was none
   * @param definition what is stored under the new head; null for a deletion
   * @param staleKeys the index keys of the generation that ends here; empty if it goes on
   * @param keys the index keys of the generation that begins here; empty if it goes on
   * @param timers first timers of the new activation
   * @param demands null if what is asked of gates stays as it is; without limits it is forgotten
   */
  record Change(
      @Nullable Head before,
      Head after,
      @Nullable Definition definition,
      Set<String> staleKeys,
      Set<String> keys,
      List<Timer> timers,
      @Nullable GateDemands demands) {

    /** One that leaves what is asked of gates as it is. */
    public Change(
        @Nullable Head before,
        Head after,
        @Nullable Definition definition,
        Set<String> staleKeys,
        Set<String> keys,
        List<Timer> timers) {
      this(before, after, definition, staleKeys, keys, timers, null);
    }
  }

  /**
   * Each part that is not null must match.
   *
   * @param tag {@code name=value}
   * @param triggerType the type of any trigger within the schedule's
   * @param notOnlyOf a program that a trigger within the schedule's waits for is not among these
   */
  record ListFilter(
      @Nullable String program,
      @Nullable String app,
      @Nullable ScheduleState state,
      @Nullable String tag,
      @Nullable String eventKey,
      @Nullable String triggerType,
      @Nullable Set<String> notOnlyOf) {

    /** Of all but programs that triggers wait for. */
    public ListFilter(
        @Nullable String program,
        @Nullable String app,
        @Nullable ScheduleState state,
        @Nullable String tag,
        @Nullable String eventKey,
        @Nullable String triggerType) {
      this(program, app, state, tag, eventKey, triggerType, null);
    }

    /** Whether everything matches that the head tells. */
    public boolean matches(Head head) {
      return (program == null || program.equals(head.program()))
          && (app == null || app.equals(head.app()))
          && (state == null || state == head.state());
    }

    /** Whether everything matches but {@code eventKey}, which only an index tells. */
    public boolean matches(StoredSchedule stored) {
      JsonNode document = stored.definition().document();
      return matches(stored.head())
          && (tag == null || hasTag(document.path("tags"), tag))
          && (triggerType == null || hasType(document.path("trigger")))
          && (notOnlyOf == null || waitsForOther(document.path("trigger"), notOnlyOf));
    }

    private static boolean hasTag(JsonNode tags, String tag) {
      return tags.properties().stream()
          .anyMatch(t -> tag.equals(t.getKey() + "=" + t.getValue().asText()));
    }

    /** Whatever a trigger holds may be one that waits for a program. */
    private static boolean waitsForOther(JsonNode trigger, Set<String> programs) {
      return (trigger.path("type").asText().equals("programStatus")
              && !programs.contains(trigger.path("program").asText()))
          || trigger.valueStream().anyMatch(within -> waitsForOther(within, programs));
    }

    private boolean hasType(JsonNode trigger) {
      return trigger.path("type").asText().equals(triggerType)
          || trigger.path("triggers").valueStream().anyMatch(this::hasType);
    }
  }
}
