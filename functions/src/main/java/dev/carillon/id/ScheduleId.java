package dev.carillon.id;

import org.jspecify.annotations.Nullable;

/** A schedule's name within its namespace, written {@code namespace/name}. */
public record ScheduleId(String namespace, String name) implements Comparable<ScheduleId> {

  public static ScheduleId parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("not namespace/name: " + text);
    }
    return new ScheduleId(text.substring(0, slash), text.substring(slash + 1));
  }

  /**
   * The method is written out, like {@link #hashCode}, because linking the generated methods makes
   * a cold start noticeably slower.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScheduleId id && namespace.equals(id.namespace) && name.equals(id.name);
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
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
