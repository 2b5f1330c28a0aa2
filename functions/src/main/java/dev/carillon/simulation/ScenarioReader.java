package dev.carillon.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.TextForm;
import dev.carillon.event.EventParser;
import dev.carillon.event.ParsedMessage;
import dev.carillon.id.CalendarId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.simulation.Scenario.Action;
import dev.carillon.simulation.Scenario.Behaviour;
import dev.carillon.simulation.Scenario.Delete;
import dev.carillon.simulation.Scenario.Finish;
import dev.carillon.simulation.Scenario.Outage;
import dev.carillon.simulation.Scenario.ProgramId;
import dev.carillon.simulation.Scenario.Put;
import dev.carillon.simulation.Scenario.Report;
import dev.carillon.simulation.Scenario.ResourceId;
import dev.carillon.simulation.Scenario.Resume;
import dev.carillon.simulation.Scenario.Send;
import dev.carillon.simulation.Scenario.SimulatedPool;
import dev.carillon.simulation.Scenario.Step;
import dev.carillon.simulation.Scenario.Suspend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads a scenario and finds all its faults. */
final class ScenarioReader {

  static final int MOST_STEPS = 10_000;

  /** How many schedules a scenario has at most at the beginning, and in one step. */
  static final int MOST_SCHEDULES = 1_000;

  static final Duration LONGEST = Duration.ofDays(3_653);

  private static final int MOST_WORKERS = 10_000;
  private static final String WORKERS = "workers";
  private static final Duration LONGEST_RUN = Duration.ofDays(365);
  private static final Duration LONGEST_OUTAGE = Duration.ofDays(30);
  private static final List<String> OUTCOMES = List.of("SUCCEEDED", "FAILED", "CANCELLED");
  private static final List<String> ACTIONS =
      List.of("event", "put", "delete", "suspend", "resume", "resource", "finish", "outage");

  private final ScheduleParser parser;
  private final Faults faults = new Faults();
  private final Map<ProgramId, Behaviour> programs = new LinkedHashMap<>();

  private ScenarioReader(ScheduleParser parser) {
    this.parser = parser;
  }

  /**
   * @throws InvalidDocument if the scenario has faults; the exception has every one
   */
  static Scenario read(JsonNode document, ScheduleParser parser) {
    ScenarioReader reader = new ScenarioReader(parser);
    Scenario scenario = reader.read(document);
    if (!reader.faults.none()) {
      throw new InvalidDocument(reader.faults.found());
    }
    return scenario;
  }

  private Scenario read(JsonNode document) {
    Fields fields = Fields.of(document, "", faults);
    fields.allowOnly(List.of("from", "to", "calendars", "pools", "schedules", "programs", "steps"));
    Instant from = instant(fields, "from");
    Instant to = instant(fields, "to");
    boolean isRead = !fields.isRefused("from") && !fields.isRefused("to");
    if (isRead && !to.isAfter(from)) {
      fields.refuse("to", "give an instant after \"from\"");
    } else if (isRead && Duration.between(from, to).compareTo(LONGEST) > 0) {
      fields.refuse("to", "give an instant at most ten years after \"from\"");
    }
    Map<ScheduleId, ObjectNode> schedules = schedules(fields, "schedules", from);
    readPrograms(fields.object("programs"));
    return new Scenario(
        from, to, calendars(fields), pools(fields), schedules, programs, steps(fields, from, to));
  }

  private static Instant instant(Fields fields, String name) {
    Instant given = fields.optionalInstant(name);
    if (!fields.has(name)) {
      fields.refuse(name, "give an ISO-8601 instant like \"2030-01-31T08:00:00Z\"");
    }
    return given == null ? Instant.EPOCH : given;
  }

  /** Reads the calendars. Their content is checked when they are stored. */
  private Map<CalendarId, JsonNode> calendars(Fields fields) {
    Fields members = fields.object("calendars");
    Map<CalendarId, JsonNode> read = new LinkedHashMap<>();
    for (String key : members.names()) {
      readId(members, key, CalendarId::new).ifPresent(id -> read.put(id, members.get(key)));
    }
    return read;
  }

  /** Reads the pools. Their content is checked when they are stored. */
  private Map<PoolId, SimulatedPool> pools(Fields fields) {
    Fields members = fields.object("pools");
    Map<PoolId, SimulatedPool> read = new LinkedHashMap<>();
    for (String key : members.names()) {
      Fields pool = members.object(key);
      int workers = (int) pool.whole(WORKERS, 1, MOST_WORKERS, MOST_WORKERS);
      Optional<PoolId> id = readId(members, key, PoolId::new);
      if (id.isPresent() && members.get(key) instanceof ObjectNode document) {
        ObjectNode definition = document.deepCopy();
        definition.remove(WORKERS);
        read.put(id.get(), new SimulatedPool(definition, workers));
      }
    }
    return read;
  }

  private Map<ScheduleId, ObjectNode> schedules(Fields fields, String name, Instant at) {
    Fields members = fields.object(name);
    if (members.names().size() > MOST_SCHEDULES) {
      fields.refuse(name, "give at most " + MOST_SCHEDULES + " schedules");
      return Map.of();
    }
    Map<ScheduleId, ObjectNode> read = new LinkedHashMap<>();
    for (String key : members.names()) {
      Optional<ScheduleId> id = readId(members, key, ScheduleId::new);
      if (id.isPresent() && members.get(key) instanceof ObjectNode document) {
        check(members, key, id.get(), document, at);
        read.put(id.get(), document);
      } else if (id.isPresent()) {
        members.refuse(key, "give the document of a schedule");
      }
    }
    return read;
  }

  private void check(Fields members, String key, ScheduleId id, JsonNode document, Instant at) {
    try {
      parser.parse(id, document, at);
    } catch (InvalidDocument invalid) {
      members.include(key, invalid.faults());
    }
  }

  private <T> Optional<T> readId(Fields members, String key, BiFunction<String, String, T> make) {
    Optional<T> made = parsedId(key, make);
    if (made.isEmpty()) {
      faults.add(
          members.at(key), Faults.quoted(key) + " is not a valid name; give \"namespace/name\"");
    }
    return made;
  }

  private static <T> Optional<T> parsedId(String text, BiFunction<String, String, T> make) {
    int slash = text.indexOf('/');
    String namespace = text.substring(0, Math.max(0, slash));
    String name = text.substring(slash + 1);
    return TextForm.NAMESPACE.fits(namespace) && TextForm.NAME.fits(name)
        ? Optional.of(make.apply(namespace, name))
        : Optional.empty();
  }

  private void readPrograms(Fields members) {
    for (String key : members.names()) {
      Fields program = members.object(key);
      program.allowOnly(List.of("runsFor", "outcome"));
      Duration runsFor =
          program.has("runsFor") ? program.duration("runsFor", Duration.ZERO, LONGEST_RUN) : null;
      String outcome = program.choice("outcome", OUTCOMES, "SUCCEEDED");
      readId(members, key, ProgramId::new)
          .ifPresent(id -> programs.put(id, new Behaviour(runsFor, outcome)));
    }
  }

  private List<Step> steps(Fields fields, Instant from, Instant to) {
    JsonNode given = fields.get("steps");
    if (!given.isMissingNode() && (!given.isArray() || given.size() > MOST_STEPS)) {
      fields.refuse("steps", "give a list of at most " + MOST_STEPS + " steps");
      return List.of();
    }
    boolean isBounded = !fields.isRefused("from") && !fields.isRefused("to");
    List<Step> steps = new ArrayList<>();
    for (int number = 0; number < given.size(); number++) {
      String pointer = "/steps/" + number;
      Fields step = Fields.of(given.get(number), pointer, faults);
      Instant at = instant(step, "at");
      if (isBounded && !step.isRefused("at") && (at.isBefore(from) || at.isAfter(to))) {
        step.refuse("at", "give an instant between \"from\" and \"to\"");
      }
      Action action = action(step, pointer, Integer.toString(number + 1), at);
      if (action != null) {
        steps.add(new Step(at, pointer, action));
      }
    }
    steps.sort(Comparator.comparing(Step::at));
    return steps;
  }

  private @Nullable Action action(Fields step, String pointer, String number, Instant at) {
    List<String> given = ACTIONS.stream().filter(step::has).toList();
    if (given.size() != 1) {
      faults.add(
          pointer,
          "the step has no action or several; give exactly one of " + String.join(", ", ACTIONS));
      return null;
    }
    String action = given.get(0);
    step.allowOnly(
        switch (action) {
          case "suspend" -> List.of("at", action, "mode", "until");
          case "finish" -> List.of("at", action, "outcome");
          default -> List.of("at", action);
        });
    return switch (action) {
      case "event" -> event(step, number, at);
      case "put" -> new Put(schedules(step, "put", at));
      case "delete" -> id(step, action, ScheduleId::new).map(Delete::new).orElse(null);
      case "suspend" -> suspension(step);
      case "outage" -> new Outage(step.duration(action, Duration.ofSeconds(1), LONGEST_OUTAGE));
      case "resume" -> id(step, action, ScheduleId::new).map(Resume::new).orElse(null);
      case "resource" -> report(step);
      default -> finish(step);
    };
  }

  private Send event(Fields step, String id, Instant at) {
    JsonNode event = step.get("event");
    ParsedMessage parsed = EventParser.parse(event, step.at("event"), id, at, Optional.empty());
    if (parsed instanceof ParsedMessage.Malformed malformed) {
      malformed.faults().forEach(fault -> faults.add(fault.pointer(), fault.detail()));
    }
    return new Send(event, id);
  }

  private @Nullable Suspend suspension(Fields step) {
    String mode = step.optionalText("mode", TextForm.NAME);
    Instant until = step.optionalInstant("until");
    return id(step, "suspend", ScheduleId::new)
        .map(id -> new Suspend(id, mode, until))
        .orElse(null);
  }

  private Report report(Fields step) {
    Fields members = step.object("resource");
    Map<ResourceId, @Nullable ObjectNode> gauges = new LinkedHashMap<>();
    for (String key : members.names()) {
      Optional<ResourceId> id = readId(members, key, ResourceId::new);
      if (members.has(key) && !members.get(key).isObject()) {
        members.refuse(key, "give {\"value\": …}, or null to delete the gauge");
      } else if (id.isPresent()) {
        gauges.put(id.get(), members.get(key) instanceof ObjectNode report ? report : null);
      }
    }
    return new Report(gauges);
  }

  private @Nullable Finish finish(Fields step) {
    String outcome = step.has("outcome") ? step.choice("outcome", OUTCOMES, "SUCCEEDED") : null;
    Optional<ProgramId> program = id(step, "finish", ProgramId::new);
    if (program.isPresent() && !programs.containsKey(program.get())) {
      step.refuse("finish", "give a program of \"programs\"; runs of other programs end at once");
    }
    return program.map(id -> new Finish(id, outcome)).orElse(null);
  }

  private static <T> Optional<T> id(Fields step, String name, BiFunction<String, String, T> make) {
    Optional<T> id = parsedId(step.get(name).asText(), make);
    if (id.isEmpty()) {
      step.refuse(name, "give \"namespace/name\"");
    }
    return id;
  }
}
