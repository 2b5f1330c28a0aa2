package dev.carillon.template;

import dev.carillon.template.JsonPath.Index;
import dev.carillon.template.JsonPath.Name;
import dev.carillon.template.JsonPath.Step;
import dev.carillon.template.Template.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The valid names of variables. */
public final class VariableName {

  public static final String PROPERTIES = "properties";
  public static final String PAYLOAD = "payload";
  public static final String EVENTS = "events";
  public static final String OUTCOME = "outcome";
  public static final String OUTPUT = "output";
  public static final String ERROR = "error";

  /** The variables whose whole name is fixed. */
  public static final SortedSet<String> FIXED =
      Collections.unmodifiableSortedSet(
          new TreeSet<>(
              List.of(
                  "attempt",
                  "customer",
                  "endOfPreviousDay",
                  "jobId",
                  "namespace",
                  PAYLOAD,
                  "previousScheduledFor",
                  "priority",
                  "processTime",
                  "program",
                  PROPERTIES,
                  "schedule",
                  "scheduledFor",
                  "startOfDay",
                  "startOfDayOneWeekAgo",
                  "startOfHour",
                  "startOfPreviousDay",
                  "todaysDate",
                  "trigger",
                  "triggeredAt",
                  "yesterdaysDate")));

  private static final int LONGEST_SHOWN = 80;
  private static final Set<String> KNOWN_ONLY_AT_LAUNCH = Set.of("customer", "priority");
  private static final List<String> KNOWN_AT_END = List.of(OUTCOME, OUTPUT, ERROR);
  private static final Set<String> EVENT_FIELDS = Set.of("id", "timestamp", "eventType");

  private VariableName() {}

  /** Why a template of a scope cannot use a name; empty if it can. */
  public static Optional<String> fault(String name, Scope scope) {
    boolean valid =
        FIXED.contains(name)
            ? scope != Scope.TRIGGER || !KNOWN_ONLY_AT_LAUNCH.contains(name)
            : hasValidPath(name) || (scope == Scope.END && isOfEnd(name));
    return valid
        ? Optional.empty()
        : Optional.of(
            "the variable %s is unknown; the known variables are %s; write $${ for a literal ${"
                .formatted(shown(name), String.join(", ", known(scope))));
  }

  /** A variable as a template writes it, shortened if it is long. */
  public static String shown(String name) {
    return name.length() <= LONGEST_SHOWN
        ? "${" + name + "}"
        : "${" + name.substring(0, LONGEST_SHOWN) + "…}";
  }

  /** The part of a name before the first dot or bracket. */
  public static String root(String name) {
    int end = 0;
    while (end < name.length() && name.charAt(end) != '.' && name.charAt(end) != '[') {
      end++;
    }
    return name.substring(0, end);
  }

  private static boolean isOfEnd(String name) {
    String root = root(name);
    return KNOWN_AT_END.contains(name)
        || (root.equals(OUTPUT) && JsonPath.parse(name.substring(root.length())).isPresent());
  }

  private static boolean hasValidPath(String name) {
    String root = root(name);
    List<Step> steps =
        JsonPath.parse(name.substring(root.length())).map(JsonPath::steps).orElse(List.of());
    return switch (root) {
      case PROPERTIES -> !steps.isEmpty() && steps.get(0) instanceof Name;
      case PAYLOAD -> !steps.isEmpty();
      case EVENTS -> isEventField(steps);
      default -> false;
    };
  }

  private static boolean isEventField(List<Step> steps) {
    return steps.size() >= 2
        && steps.get(0) instanceof Index
        && steps.get(1) instanceof Name field
        && (field.name().equals("payload")
            || (steps.size() == 2 && EVENT_FIELDS.contains(field.name())));
  }

  private static List<String> known(Scope scope) {
    List<String> known = new ArrayList<>(FIXED);
    if (scope == Scope.TRIGGER) {
      known.removeAll(KNOWN_ONLY_AT_LAUNCH);
    }
    if (scope == Scope.END) {
      known.addAll(KNOWN_AT_END);
      known.add("output.PATH");
    }
    known.addAll(
        List.of(
            "properties.NAME",
            "payload.PATH",
            "events[i].id",
            "events[i].timestamp",
            "events[i].eventType",
            "events[i].payload",
            "events[i].payload.PATH"));
    return known;
  }
}
