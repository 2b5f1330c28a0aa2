package dev.carillon.cli.apply;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * The kinds of documents, in the order in which they are stored. Schedules come last, because they
 * name calendars and pools.
 */
public enum Kind {
  CALENDAR,
  POOL,
  SCHEDULE;

  /** The word in plans and messages. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The id {@code namespace/name}, preceded by the kind unless it is a schedule. */
  String id(String namespace, String name) {
    return (this == SCHEDULE ? "" : word() + " ") + namespace + "/" + name;
  }
}
