package dev.carillon.schedule;

import dev.carillon.time.FireTimes;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parsed definitions of schedules. What a generation launches never changes, so each is read
 * and parsed once for as long as it is remembered.
 */
public final class CompiledSchedules {

  private static final int MOST_REMEMBERED = 2_000;

  private final Schedules schedules;
  private final ScheduleParser parser;
  private final Map<ScheduleId, Compiled> remembered =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ScheduleId, Compiled> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  public CompiledSchedules(Schedules schedules, ScheduleParser parser) {
    this.schedules = schedules;
    this.parser = parser;
  }

  /** A definition with what was parsed from its document. */
  public record Compiled(Definition definition, Schedule schedule) {

    /** When one of its time leaves fires. */
    public FireTimes fireTimes(TimeLeaf leaf) {
      return schedule.fireTimes(leaf, definition.generationSince());
    }
  }

  /**
   * The schedules of the heads, without those whose definition is of another generation than the
   * head by now.
   */
  public Map<ScheduleId, Compiled> of(Collection<Head> heads) {
    Map<ScheduleId, Compiled> found = new HashMap<>();
    List<Head> missing = new ArrayList<>();
    for (Head head : heads) {
      Compiled compiled = remembered(head.id());
      if (compiled != null && compiled.definition().generation() == head.generation()) {
        found.put(head.id(), compiled);
      } else if (!head.isDeleted()) {
        missing.add(head);
      }
    }
    if (!missing.isEmpty()) {
      load(missing, found);
    }
    return found;
  }

  private void load(List<Head> missing, Map<ScheduleId, Compiled> found) {
    compile(missing, schedules.recentDefinitions(ids(missing)), found);
    List<Head> changed = missing.stream().filter(head -> !found.containsKey(head.id())).toList();
    if (!changed.isEmpty()) {
      compile(changed, schedules.definitions(ids(changed)), found);
    }
  }

  private static List<ScheduleId> ids(List<Head> heads) {
    return heads.stream().map(Head::id).toList();
  }

  private void compile(
      List<Head> heads, Map<ScheduleId, Definition> definitions, Map<ScheduleId, Compiled> found) {
    for (Head head : heads) {
      Definition definition = definitions.get(head.id());
      if (definition != null && definition.generation() == head.generation()) {
        Compiled compiled = new Compiled(definition, parser.parseStored(definition));
        remember(head.id(), compiled);
        found.put(head.id(), compiled);
      }
    }
  }

  private synchronized @Nullable Compiled remembered(ScheduleId id) {
    return remembered.get(id);
  }

  private synchronized void remember(ScheduleId id, Compiled compiled) {
    remembered.put(id, compiled);
  }
}
