package dev.carillon.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.document.NotJson;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.simulation.Simulation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Simulates a scenario on a virtual clock. It prints when each job launches, or why the job does
 * not launch.
 */
@Command(
    name = "simulate",
    description = "Simulates the scenario in a file on a virtual clock; stores and sends nothing.")
public final class SimulateCommand implements Callable<Integer> {

  private static final Deadline NEVER =
      new Deadline(Instant.MAX, InstantSource.fixed(Instant.EPOCH));

  @Parameters(paramLabel = "FILE", description = "The scenario: the body of POST /v1/simulate.")
  private Path file;

  @Option(names = "--json", description = "Print the answer of POST /v1/simulate.")
  private boolean json;

  @Option(names = "--help", usageHelp = true, description = "Show this.")
  @SuppressWarnings("UnusedVariable") // read by the command line's library
  private boolean help;

  @Spec private CommandSpec spec;

  // The command line's library sets the fields.
  @SuppressWarnings("NullAway.Init")
  private SimulateCommand() {}

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    try {
      Simulation simulation =
          new Simulation(
              new ScheduleParser(ZoneOffset.UTC),
              new TargetPolicy(
                  LocalAccount.REGION,
                  LocalAccount.ID,
                  LocalEngine.TARGET_PREFIX,
                  List.of("*"),
                  Set.of()));
      print(simulation.simulate(Json.read(Files.readString(file)), NEVER));
      return ExitCode.OK;
    } catch (InvalidDocument invalid) {
      err.println("carillon: " + file + " is not a valid scenario:");
      invalid
          .faults()
          .forEach(fault -> err.println("  " + fault.pointer() + ": " + fault.detail()));
    } catch (JsonProcessingException notJson) {
      err.println("carillon: " + NotJson.detail(file.toString(), notJson));
    } catch (IOException unreadable) {
      err.println("carillon: " + file + " cannot be read; name a file with a scenario");
    }
    return ExitCode.SOFTWARE;
  }

  private void print(ObjectNode timeline) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(timeline.toPrettyString());
    } else {
      timeline.path("jobs").forEach(job -> print(job, out));
      out.println(timeline.path("jobs").size() + " jobs");
    }
    out.flush();
  }

  private static void print(JsonNode job, PrintWriter out) {
    out.printf(
        "%-24s  %-32s  %s%n",
        job.path("scheduledFor").asText("-"),
        job.path("schedule").asText(),
        job.path("state").asText());
    for (JsonNode transition : job.path("transitions")) {
      String reason = transition.path("reason").asText("");
      out.printf(
          "    %-24s  %s%s%n",
          transition.path("at").asText(),
          transition.path("state").asText(),
          reason.isEmpty() || reason.equals("null") ? "" : ": " + reason);
    }
    for (JsonNode launch : job.path("launches")) {
      out.printf(
          "    %-24s  sent to %s: %s%n",
          launch.path("at").asText(), queue(launch), launch.path("body"));
    }
  }

  private static String queue(JsonNode launch) {
    String arn = launch.path("queue").asText();
    return arn.substring(arn.lastIndexOf(':') + 1);
  }
}
