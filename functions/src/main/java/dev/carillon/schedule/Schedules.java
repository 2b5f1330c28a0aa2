package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.gate.DemandCounts;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.AppId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.timer.Timer;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The store of schedules. Head, definition and trigger entries change in one transaction. */
public interface Schedules {

  /**
   * Returns the heads of the schedules that were ever stored, tombstones included. The read is
   * strongly consistent.
   *
   * @throws UnreadableSchedules if some heads cannot be read
   */
  Map<ScheduleId, Head> heads(Collection<ScheduleId> ids);

  /**
   * Returns the heads that a launch needs, and which programs can have limits. The read is strongly
   * consistent.
   *
   * @throws UnreadableSchedules if some heads cannot be read
   */
  Launching forLaunch(Collection<ScheduleId> ids);

  /**
   * @param limited for each namespace of the heads, the programs that can have limits
   * @param definitions the definitions that the heads' items contain; all other definitions have to
   *     be read
   */
  record Launching(
      Map<ScheduleId, Head> heads,
      Map<String, LimitedPrograms> limited,
      Map<ScheduleId, Definition> definitions) {}

  /**
   * Returns the heads at half the price, because the read is eventually consistent: a head that
   * exists can be missing, and a returned head can be outdated.
   *
   * @throws UnreadableSchedules if some heads cannot be read
   */
  default Map<ScheduleId, Head> recentHeads(Collection<ScheduleId> ids) {
    return heads(ids);
  }

  /**
   * The head and the definition, consistent with each other; empty if the schedule is absent or
   * deleted.
   */
  Optional<StoredSchedule> find(ScheduleId id);

  /**
   * Returns the readable definitions of schedules that are not deleted. The read is strongly
   * consistent.
   */
  Map<ScheduleId, Definition> definitions(Collection<ScheduleId> ids);

  /** Returns the definitions at half the price, because the read is eventually consistent. */
  default Map<ScheduleId, Definition> recentDefinitions(Collection<ScheduleId> ids) {
    return definitions(ids);
  }

  /**
   * The definition of a former generation that has callbacks. It is kept for as long as jobs are
   * kept. The result is empty if the definition is not stored.
   *
   * @throws UnreadableItems if the definition is stored and cannot be read
   */
  Optional<Definition> former(ScheduleId id, long generation);

  /**
   * Stores a change in one transaction: the head, the definition (or its deletion if it is null),
   * the trigger entries (those of {@code before} are deleted, those of {@code after} are put), new
   * timers, and the counts of limits at gates.
   *
   * @return false if the stored head does not have the version of {@code change.before()}; then
   *     nothing was stored
   * @throws TooManyDemandsException if the limits at a gate exceed the size of an item; then
   *     nothing was stored
   */
  boolean save(Change change);

  /**
   * Stores a change in the place of a schedule whose head cannot be read.
   *
   * @param change a change that begins with a {@link Lifecycle#standIn}
   * @return false if the stored head can be read; then nothing was stored. A store whose items
   *     cannot be damaged always returns false
   */
  default boolean overwrite(Change change) {
    return false;
  }

  /** The limits that schedules set at a gate exceed the size of an item. */
  final class TooManyDemandsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TooManyDemandsException(@Nullable Throwable cause) {
      super(cause);
    }
  }

  /**
   * One page of the schedules of a namespace that are not deleted, by name. The pages are read from
   * an index, which can lag behind changes. Only the schedules of one app are read consistently.
   */
  Page<StoredSchedule> list(String namespace, ListFilter filter, int limit, @Nullable String next);

  /**
   * The programs that the namespace's schedules launch. They are read from an index, which can lag.
   */
  Set<String> programs(String namespace);

  /**
   * One page of the schedules that belong to an app, by name. The read is strongly consistent: a
   * schedule joins and leaves its app with the change of its head.
   *
   * @param after the name after which the page begins; null for the first page
   */
  Page<ScheduleId> ofApp(AppId app, @Nullable String after);

  /** All pages of {@link #ofApp(AppId, String)}. */
  default Set<ScheduleId> ofApp(AppId app) {
    return all(after -> ofApp(app, after));
  }

  /**
   * One page of the schedules with a trigger entry for the key, by name. It is read from the index,
   * which can lag.
   *
   * @param after the name after which the page begins; null for the first page
   */
  Page<ScheduleId> withEventKey(String namespace, String eventKey, @Nullable String after);

  /** All pages of {@link #withEventKey(String, String, String)}. */
  default Set<ScheduleId> withEventKey(String namespace, String eventKey) {
    return all(after -> withEventKey(namespace, eventKey, after));
  }

  private static Set<ScheduleId> all(Function<@Nullable String, Page<ScheduleId>> pages) {
    Page<ScheduleId> page = pages.apply(null);
    Set<ScheduleId> found = new LinkedHashSet<>(page.items());
    while (page.next() != null) {
      page = pages.apply(page.next());
      found.addAll(page.items());
    }
    return found;
  }

  /**
   * Whether the index behind {@link #withEventKey(String, String)} shows every one of the entries.
   */
  boolean indexShows(ScheduleId id, long generation, Set<String> eventKeys);

  /**
   * Returns the ACTIVE schedules of one part, page by page. Only the daily audit uses it. The store
   * decides how schedules are divided into parts.
   *
   * @param next the token in the previous page of the same part
   */
  Page<StoredSchedule> walk(WalkPart part, int limit, @Nullable String next);

  /**
   * @param number the number of the part, from 0
   * @param of how many parts all schedules are divided into
   */
  record WalkPart(int number, int of) {

    public static final WalkPart WHOLE = new WalkPart(0, 1);
  }

  /**
   * @param before the head that was read; null if there was none
   * @param definition the definition to store with the new head; null for a deletion
   * @param staleKeys the index keys of the generation that ends with this change; empty if the
   *     generation continues; null for all stored keys, if its definition cannot be read
   * @param keys the index keys of the generation that begins with this change; empty if the
   *     generation continues
   * @param timers the first timers of the new activation
   * @param former the definition of the generation that ends with this change, if its jobs still
   *     need it to call back; null if no job needs it
   */
  record Change(
      @Nullable Head before,
      Head after,
      @Nullable Definition definition,
      @Nullable Set<String> staleKeys,
      Set<String> keys,
      List<Timer> timers,
      @Nullable Definition former) {

    /** A change after which no job needs a former definition. */
    public Change(
        @Nullable Head before,
        Head after,
        @Nullable Definition definition,
        @Nullable Set<String> staleKeys,
        Set<String> keys,
        List<Timer> timers) {
      this(before, after, definition, staleKeys, keys, timers, null);
    }

    /** If the ended definition has callbacks, keeps it for the callbacks of its jobs. */
    Change keeping(Definition ended) {
      Definition kept = ended.wantsCallbacks() ? ended : null;
      return new Change(before, after, definition, staleKeys, keys, timers, kept);
    }

    /** How the change changes the counts of limits at gates. */
    public DemandCounts demands() {
      DemandCounts old = before == null ? DemandCounts.NONE : before.demands();
      return old.to(after.demands());
    }
  }

  /**
   * Selects schedules; each part that is not null must match.
   *
   * @param tag a tag, as {@code name=value}
   * @param triggerType the type of any trigger in the schedule's trigger tree
   * @param notOnlyOf selects schedules with a {@code programStatus} trigger for a program outside
   *     this set
   */
  record ListFilter(
      @Nullable String program,
      @Nullable String app,
      @Nullable ScheduleState state,
      @Nullable String tag,
      @Nullable String eventKey,
      @Nullable String triggerType,
      @Nullable Set<String> notOnlyOf) {

    /** A filter without {@code notOnlyOf}. */
    public ListFilter(
        @Nullable String program,
        @Nullable String app,
        @Nullable ScheduleState state,
        @Nullable String tag,
        @Nullable String eventKey,
        @Nullable String triggerType) {
      this(program, app, state, tag, eventKey, triggerType, null);
    }

    /** Whether the parts of the filter that concern heads match. */
    public boolean matches(Head head) {
      return (program == null || program.equals(head.program()))
          && (app == null || app.equals(head.app()))
          && (state == null || state == head.state());
    }

    /** Whether all parts match except {@code eventKey}, which needs an index. */
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

    /**
     * Searches every nested value, because any of them can be a trigger that waits for a program.
     */
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
