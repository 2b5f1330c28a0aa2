package dev.carillon.client;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A filter for the schedules of a namespace; all given conditions must match. */
public final class ScheduleFilter {

  private final Map<String, @Nullable String> query;

  private ScheduleFilter(Map<String, @Nullable String> query) {
    this.query = query;
  }

  /** All schedules. */
  public static ScheduleFilter all() {
    return new ScheduleFilter(Map.of());
  }

  public ScheduleFilter withProgram(String program) {
    return with("program", program);
  }

  public ScheduleFilter withApp(String app) {
    return with("app", app);
  }

  public ScheduleFilter withState(StoredSchedule.State state) {
    return with(
        "state", Known.sent(state, StoredSchedule.State.UNRECOGNIZED, "/query/state").name());
  }

  /**
   * @param tag a tag as {@code name=value}
   */
  public ScheduleFilter withTag(String tag) {
    return with("tag", tag);
  }

  /**
   * @param eventKey the key of an {@code event} trigger, or a full key like {@code
   *     partition:default.purchases}
   */
  public ScheduleFilter withEventKey(String eventKey) {
    return with("eventKey", eventKey);
  }

  /**
   * @param type the type of a trigger, at any depth, like {@code cron}
   */
  public ScheduleFilter withTriggerType(String type) {
    return with("triggerType", type);
  }

  /**
   * Schedules whose {@code programStatus} trigger names a program that no schedule of the namespace
   * launches.
   */
  public ScheduleFilter broken() {
    return with("broken", "true");
  }

  private ScheduleFilter with(String name, String value) {
    Map<String, @Nullable String> more = new HashMap<>(query);
    more.put(name, value);
    return new ScheduleFilter(more);
  }

  Map<String, @Nullable String> query() {
    return query;
  }
}
