package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.calendar.Calendars;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.TextForm;
import dev.carillon.id.CalendarId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Schedule;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that the calendars that a document excludes exist, and that some fires remain. */
final class ExcludedCalendars {

  private static final String TRIGGER = "/trigger";
  private static final String EXCLUDE = "/exclude";

  private final Lookup lookup;
  private final Calendars calendars;

  ExcludedCalendars(Lookup lookup, Calendars calendars) {
    this.lookup = lookup;
    this.calendars = calendars;
  }

  /**
   * @param read the schedule that the document describes; null if the document has other faults
   */
  List<Fault> faults(ScheduleId id, JsonNode document, @Nullable Schedule read, Instant now) {
    List<String> leaves = new ArrayList<>();
    addLeaves(document.path("trigger"), TRIGGER, leaves);
    Map<String, String> named = named(document, leaves);
    Set<String> existing = existing(id.namespace(), named);
    List<Fault> faults = new ArrayList<>();
    named.forEach(
        (pointer, name) -> {
          if (!existing.contains(name)) {
            faults.add(new Fault(pointer, missing(id.namespace(), name)));
          }
        });
    if (read != null && !named.isEmpty() && faults.isEmpty()) {
      faults.addAll(neverFiring(read, leaves, now));
    }
    return faults;
  }

  private static String missing(String namespace, String name) {
    return "there is no calendar %s in namespace %s; create it first, or remove it from \"exclude\""
        .formatted(Faults.quoted(name), Faults.quoted(namespace));
  }

  /** The pointers of the leaves, in the order in which the trigger numbers them. */
  private static void addLeaves(JsonNode trigger, String pointer, List<String> leaves) {
    JsonNode children = trigger.path("triggers");
    if (!children.isArray()) {
      leaves.add(pointer);
      return;
    }
    for (int index = 0; index < children.size(); index++) {
      addLeaves(children.get(index), pointer + "/triggers/" + index, leaves);
    }
  }

  /** The names of calendars by their pointers. Skips invalid names, which the parser reports. */
  private static Map<String, String> named(JsonNode document, List<String> leaves) {
    Map<String, String> named = new LinkedHashMap<>();
    for (String leaf : leaves) {
      JsonNode exclude = document.at(leaf + EXCLUDE);
      for (int index = 0; index < exclude.size() && named.size() < Faults.MOST; index++) {
        JsonNode name = exclude.path(index);
        if (name.isTextual() && TextForm.NAME.fits(name.textValue())) {
          named.put(leaf + EXCLUDE + "/" + index, name.textValue());
        }
      }
    }
    return named;
  }

  private Set<String> existing(String namespace, Map<String, String> named) {
    Set<CalendarId> ids =
        named.values().stream()
            .map(name -> new CalendarId(namespace, name))
            .collect(Collectors.toSet());
    if (ids.isEmpty()) {
      return Set.of();
    }
    // A calendar that cannot be read counts as existing.
    Set<CalendarId> existing = new HashSet<>();
    existing.addAll(UnreadableItems.readable(ids, existing, calendars::find).keySet());
    return existing.stream().map(CalendarId::name).collect(Collectors.toSet());
  }

  private List<Fault> neverFiring(Schedule read, List<String> pointers, Instant now) {
    Definition unstored = new Definition(read.id(), 1, read.document(), now, now, "", now);
    Compiled compiled = lookup.readableCalendars(new Compiled(unstored, read)).orElse(null);
    if (compiled == null) {
      return List.of();
    }
    List<Fault> faults = new ArrayList<>();
    List<Trigger.Leaf> leaves = read.trigger().leaves();
    for (int number = 0; number < leaves.size(); number++) {
      if (leaves.get(number) instanceof TimeLeaf leaf
          && read.fireTimes(leaf, now).next(now).isPresent()
          && compiled.fireTimes(leaf).next(now).isEmpty()) {
        String names = String.join(", ", leaf.adjustment().exclude());
        faults.add(
            new Fault(
                pointers.get(number) + EXCLUDE,
                "the calendars "
                    + names
                    + " exclude every fire, so the schedule never fires; exclude fewer calendars"));
      }
    }
    return faults;
  }
}
