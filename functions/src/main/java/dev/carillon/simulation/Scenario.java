package dev.carillon.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.id.CalendarId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input of a simulation.
 *
 * @param from the start, exclusive
 * @param to the end, inclusive
 * @param calendars the calendars; they are stored before the schedules, which can exclude them
 * @param pools the pools; they are stored before the schedules, which can name them
 * @param schedules the schedules that are stored at the beginning, ACTIVE unless their document
 *     says otherwise
 * @param programs the behaviour of the programs whose runs take time; a job of any other program
 *     succeeds at its launch
 * @param steps the steps in order of time
 */
record Scenario(
    Instant from,
    Instant to,
    Map<CalendarId, JsonNode> calendars,
    Map<PoolId, SimulatedPool> pools,
    Map<ScheduleId, ObjectNode> schedules,
    Map<ProgramId, Behaviour> programs,
    List<Step> steps) {

  /**
   * A pool, and how many of its jobs run at a time.
   *
   * @param document the definition, without the number of workers
   */
  record SimulatedPool(JsonNode document, int workers) {}

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
   * How the runs of a program behave.
   *
   * @param runsFor null if a run lasts until a step ends it
   */
  record Behaviour(@Nullable Duration runsFor, String outcome) {}

  /**
   * @param pointer the position in the scenario
   */
  record Step(Instant at, String pointer, Action action) {}

  /** The action of a step. */
  sealed interface Action {}

  /** A message reaches the ingest queue. */
  record Send(JsonNode event, String id) implements Action {}

  record Put(Map<ScheduleId, ObjectNode> documents) implements Action {}

  record Delete(ScheduleId schedule) implements Action {}

  record Suspend(ScheduleId schedule, @Nullable String mode, @Nullable Instant until)
      implements Action {}

  record Resume(ScheduleId schedule) implements Action {}

  /** For a time, no function except the API runs. */
  record Outage(Duration duration) implements Action {}

  /**
   * Reports new values of gauges.
   *
   * @param gauges the report for each resource; null deletes it
   */
  record Report(Map<ResourceId, @Nullable ObjectNode> gauges) implements Action {}

  /**
   * The oldest run of a program ends.
   *
   * @param outcome the outcome of the run; null for the outcome that the program's behaviour gives
   */
  record Finish(ProgramId program, @Nullable String outcome) implements Action {}
}
