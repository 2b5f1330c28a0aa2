package dev.carillon.cli.apply;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Set;

/**
 * The kinds of documents, in the order in which they are stored. Schedules come last, because they
 * name calendars and pools.
 */
public enum Kind {
  CALENDAR,
  POOL,
  SCHEDULE;

  /** The members that the API's answers of all kinds have beside the definition. */
  private static final Set<String> COMMON =
      Set.of("namespace", "name", "etag", "createdAt", "createdBy", "updatedAt");

  /** The word in plans and messages, and the member of the definition in the API's answers. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The id {@code namespace/name}, preceded by the kind unless it is a schedule. */
  String id(String namespace, String name) {
    return (this == SCHEDULE ? "" : word() + " ") + namespace + "/" + name;
  }

  /** Whether the API's answers have this member. */
  boolean hasInAnswers(String member) {
    return member.equals(word()) || COMMON.contains(member) || own().contains(member);
  }

  /** The other members that the API's answers have beside the definition. */
  private Set<String> own() {
    return switch (this) {
      case CALENDAR -> Set.of("updatedBy");
      case POOL -> Set.of("updatedBy", "status");
      case SCHEDULE ->
          Set.of(
              "generation",
              "state",
              "nextFire",
              "generationSince",
              "activeSince",
              "suspended",
              "cancelled");
    };
  }
}
