package dev.carillon.launch;

import dev.carillon.launch.JsonPath.Index;
import dev.carillon.launch.JsonPath.Name;
import dev.carillon.launch.JsonPath.Step;
import dev.carillon.launch.Template.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides which names of variables are valid, before there is any job. */
final class VariableName {

  private static final int LONGEST_SHOWN = 80;
  private static final Set<String> KNOWN_ONLY_AT_LAUNCH = Set.of("customer", "priority");
  private static final Set<String> EVENT_FIELDS = Set.of("id", "timestamp", "eventType");

  private VariableName() {}

  /** What is wrong with it; empty if a template of that scope may use it. */
  static Optional<String> fault(String name, Scope scope) {
    boolean valid =
        Variables.FIXED.contains(name)
            ? scope == Scope.LAUNCH || !KNOWN_ONLY_AT_LAUNCH.contains(name)
            : hasValidPath(name);
    return valid
        ? Optional.empty()
        : Optional.of(
            "unknown variable %s; known are %s; write $${ for a literal ${"
                .formatted(shown(name), String.join(", ", known(scope))));
  }

  /** As it stands in a template, cut if it is long. */
  static String shown(String name) {
    return name.length() <= LONGEST_SHOWN
        ? "${" + name + "}"
        : "${" + name.substring(0, LONGEST_SHOWN) + "…}";
  }

  /** What stands before the first dot or bracket. */
  static String root(String name) {
    int end = 0;
    while (end < name.length() && name.charAt(end) != '.' && name.charAt(end) != '[') {
      end++;
    }
    return name.substring(0, end);
  }

  private static boolean hasValidPath(String name) {
    String root = root(name);
    List<Step> steps =
        JsonPath.parse(name.substring(root.length())).map(JsonPath::steps).orElse(List.of());
    return switch (root) {
      case Variables.PROPERTIES -> !steps.isEmpty() && steps.get(0) instanceof Name;
      case Variables.PAYLOAD -> !steps.isEmpty();
      case Variables.EVENTS -> isEventField(steps);
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
    List<String> known = new ArrayList<>(Variables.FIXED);
    if (scope == Scope.TRIGGER) {
      known.removeAll(KNOWN_ONLY_AT_LAUNCH);
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
