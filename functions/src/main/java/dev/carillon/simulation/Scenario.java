package dev.carillon.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.id.CalendarId;
import dev.carillon.id.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be played.
 *
 * @param from exclusive
 * @param to inclusive
 * @param calendars there before the schedules, which may exclude them
 * @param schedules there from the beginning, ACTIVE unless their document says otherwise
 * @param programs those whose runs take time; what is launched of others has succeeded at once
 * @param steps in the order in which they happen
 */
record Scenario(
    Instant from,
    Instant to,
    Map<CalendarId, JsonNode> calendars,
    Map<ScheduleId, ObjectNode> schedules,
    Map<ProgramId, Behaviour> programs,
    List<Step> steps) {

  /** A program of a namespace. */
  record ProgramId(String namespace, String program) {
    @Override
    public String toString() {
      return namespace + "/" + program;
    }
  }

  /** A resource of a namespace. */
  record ResourceId(String namespace, String name) {
    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  /**
   * What a program's runs do.
   *
   * @param runsFor null if they go on until a step ends them
   */
  record Behaviour(@Nullable Duration runsFor, String outcome) {}

  /**
   * @param pointer where it stands in the scenario
   */
  record Step(Instant at, String pointer, Deed deed) {}

  /** What happens in a step. */
  sealed interface Deed {}

  /** A message reaches the ingest queue. */
  record Send(JsonNode event, String id) implements Deed {}

  record Put(Map<ScheduleId, ObjectNode> documents) implements Deed {}

  record Delete(ScheduleId schedule) implements Deed {}

  record Suspend(ScheduleId schedule, @Nullable String mode, @Nullable Instant until)
      implements Deed {}

  record Resume(ScheduleId schedule) implements Deed {}

  /** For so long none of the functions runs but the API. */
  record Outage(Duration duration) implements Deed {}

  /**
   * What gauges of resources show from now on.
   *
   * @param gauges what is reported of each; null for nothing any more
   */
  record Report(Map<ResourceId, @Nullable ObjectNode> gauges) implements Deed {}

  /**
   * The oldest run of a program ends.
   *
   * @param outcome null for what the program's behaviour says
   */
  record Finish(ProgramId program, @Nullable String outcome) implements Deed {}
}
