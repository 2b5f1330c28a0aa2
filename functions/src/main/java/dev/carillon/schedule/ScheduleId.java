package dev.carillon.schedule;

/** A schedule's name within its namespace, written {@code namespace/name}. */
public record ScheduleId(String namespace, String name) implements Comparable<ScheduleId> {

  /** What a namespace may be called. */
  public static final String NAMESPACE_PATTERN = "[A-Za-z0-9_-]{1,32}";

  /**
   * What a schedule, program, app or any other named thing may be called: dots alone mean a path.
   */
  public static final String NAME_PATTERN = "(?!\\.+\\z)[A-Za-z0-9_.-]{1,64}";

  public static ScheduleId parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("not namespace/name: " + text);
    }
    return new ScheduleId(text.substring(0, slash), text.substring(slash + 1));
  }

  @Override
  public int compareTo(ScheduleId other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
