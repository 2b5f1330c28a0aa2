package dev.carillon.simulation;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Simulator;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.simulation.Scenario.Delete;
import dev.carillon.simulation.Scenario.Finish;
import dev.carillon.simulation.Scenario.Outage;
import dev.carillon.simulation.Scenario.Put;
import dev.carillon.simulation.Scenario.Report;
import dev.carillon.simulation.Scenario.ResourceId;
import dev.carillon.simulation.Scenario.Resume;
import dev.carillon.simulation.Scenario.Send;
import dev.carillon.simulation.Scenario.Step;
import dev.carillon.simulation.Scenario.Suspend;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a scenario: runs the functions' own code on a virtual clock. At one instant, the steps
 * of the scenario come first, in order. Then runs end. Then fires and time-outs follow.
 */
public final class Simulation implements Simulator {

  /** The most jobs of one simulation. */
  private static final int MOST_JOBS = 100_000;

  private static final String PUT = "PUT";

  private final ScheduleParser parser;
  private final TargetPolicy policy;
  private final int mostJobs;

  /**
   * @param policy the queues that schedules can target
   */
  public Simulation(ScheduleParser parser, TargetPolicy policy) {
    this(parser, policy, MOST_JOBS);
  }

  Simulation(ScheduleParser parser, TargetPolicy policy, int mostJobs) {
    this.parser = parser;
    this.policy = policy;
    this.mostJobs = mostJobs;
  }

  @Override
  public ObjectNode simulate(JsonNode document, Deadline deadline) {
    Scenario scenario = ScenarioReader.read(document, parser);
    return new Execution(scenario, deadline).run();
  }

  /** The simulation of one scenario. */
  private final class Execution {
    private final Scenario scenario;
    private final Deadline deadline;
    private final World world;
    private int nextStep;

    Execution(Scenario scenario, Deadline deadline) {
      this.scenario = scenario;
      this.deadline = deadline;
      this.world = new World(scenario, parser, policy, deadline);
    }

    ObjectNode run() {
      List<Fault> faults = new ArrayList<>();
      scenario.calendars().forEach((id, given) -> faults.addAll(store(id, given)));
      scenario.pools().forEach((id, given) -> faults.addAll(store(id, given.document())));
      refuse(faults);
      scenario
          .schedules()
          .forEach(
              (id, given) -> {
                ObjectNode active = given.deepCopy();
                if (!given.hasNonNull("state")) {
                  active.put("state", "ACTIVE");
                }
                faults.addAll(store(id, active, "/schedules"));
              });
      refuse(faults);
      for (Optional<Instant> next = Optional.of(scenario.from());
          next.isPresent() && !next.get().isAfter(scenario.to());
          next = nextInstant()) {
        world.advanceTo(next.get());
        performSteps();
        world.settle(this::checkLimits);
        checkLimits();
      }
      return world.timeline().document();
    }

    private Optional<Instant> nextInstant() {
      Optional<Instant> next = world.nextInstant();
      if (nextStep < scenario.steps().size()) {
        Instant step = scenario.steps().get(nextStep).at();
        return next.filter(instant -> instant.isBefore(step)).or(() -> Optional.of(step));
      }
      return next;
    }

    private void performSteps() {
      while (nextStep < scenario.steps().size()
          && !scenario.steps().get(nextStep).at().isAfter(world.now())) {
        perform(scenario.steps().get(nextStep));
        nextStep++;
        checkLimits();
      }
    }

    private void perform(Step step) {
      String pointer = step.pointer();
      if (step.action() instanceof Send sent) {
        world.send(Json.write(sent.event()), sent.id(), this::checkLimits);
      } else if (step.action() instanceof Put put) {
        List<Fault> faults = new ArrayList<>();
        put.documents().forEach((id, given) -> faults.addAll(store(id, given, pointer + "/put")));
        refuse(faults);
      } else if (step.action() instanceof Delete delete) {
        refuse(
            faults(world.calls().call("DELETE", delete.schedule(), "", ""), pointer + "/delete"));
      } else if (step.action() instanceof Suspend suspend) {
        refuse(suspend(suspend, pointer));
      } else if (step.action() instanceof Resume resume) {
        refuse(
            faults(
                world.calls().call("POST", resume.schedule(), "/resume", ""), pointer + "/resume"));
      } else if (step.action() instanceof Report report) {
        report.gauges().forEach((id, gauge) -> report(id, gauge, pointer + "/resource"));
      } else if (step.action() instanceof Outage outage) {
        world.stopFor(outage.duration());
      } else if (step.action() instanceof Finish finish) {
        finish(finish, pointer);
      }
    }

    private List<Fault> store(CalendarId id, JsonNode given) {
      String at = Faults.member("/calendars", id.toString());
      return faults(world.calls().call(PUT, id, Json.write(given)), at);
    }

    private List<Fault> store(PoolId id, JsonNode given) {
      String at = Faults.member("/pools", id.namespace() + "/" + id.name());
      return faults(world.calls().call(PUT, id, Json.write(given)), at);
    }

    private List<Fault> store(ScheduleId id, ObjectNode given, String pointer) {
      checkLimits();
      String at = Faults.member(pointer, id.toString());
      ObjectNode simulated = SimulatedWorkers.document(id, given, scenario.programs().keySet());
      return faults(world.calls().call(PUT, id, "", Json.write(simulated)), at);
    }

    private void report(ResourceId id, @Nullable ObjectNode gauge, String pointer) {
      refuse(faults(world.calls().report(id, gauge), Faults.member(pointer, id.toString())));
    }

    private List<Fault> suspend(Suspend suspend, String pointer) {
      ObjectNode body = Json.object();
      if (suspend.mode() != null) {
        body.put("mode", suspend.mode());
      }
      if (suspend.until() != null) {
        body.put("until", suspend.until().toString());
      }
      return faults(
          world.calls().call("POST", suspend.schedule(), "/suspend", Json.write(body)), pointer);
    }

    private void finish(Finish finish, String pointer) {
      if (!world.finish(finish.program(), finish.outcome(), this::checkLimits)) {
        String detail = "the program " + finish.program() + " has no run at " + world.now();
        refuse(List.of(new Fault(pointer + "/finish", detail + "; finish a run while it lasts")));
      }
    }

    private void checkLimits() {
      String how = "; simulate a shorter range or fewer schedules";
      if (world.jobs() > mostJobs) {
        String detail =
            "the simulation has more than " + mostJobs + " jobs at " + Timestamps.text(world.now());
        refuse(List.of(new Fault("/to", detail + how)));
      }
      if (deadline.hasPassed()) {
        String detail = "the simulation ran out of time at " + Timestamps.text(world.now());
        refuse(List.of(new Fault("/to", detail + how)));
      }
    }
  }

  /** The faults that an answer of the API contains. */
  private static List<Fault> faults(APIGatewayProxyResponseEvent answer, String pointer) {
    if (answer.getStatusCode() < 400) {
      return List.of();
    }
    JsonNode problem = problem(answer);
    List<Fault> faults = new ArrayList<>();
    for (JsonNode error : problem.path("errors")) {
      String within = error.path("pointer").asText();
      String at = within.startsWith("/path") ? pointer : pointer + within;
      faults.add(new Fault(at, error.path("detail").asText()));
    }
    if (faults.isEmpty()) {
      faults.add(new Fault(pointer, problem.path("detail").asText()));
    }
    return faults;
  }

  private static JsonNode problem(APIGatewayProxyResponseEvent answer) {
    try {
      return Json.read(answer.getBody());
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("the API did not answer with JSON", impossible);
    }
  }

  private static void refuse(List<Fault> faults) {
    if (!faults.isEmpty()) {
      throw new InvalidDocument(faults);
    }
  }
}
