package dev.carillon.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.carillon.document.InvalidDocument;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.simulation.Simulation;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Simulates a scenario on a virtual clock. It prints when each job launches, or why the job does
 * not launch, in the same form as the command of the same name that asks the API.
 */
@Command(
    name = "simulate",
    description = "Simulates the scenario in a file on a virtual clock; stores and sends nothing.")
public final class SimulateCommand implements Callable<Integer> {

  private static final Deadline NEVER =
      new Deadline(Instant.MAX, InstantSource.fixed(Instant.EPOCH));

  /** Control characters, which could change the screen, except line breaks and tabs. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}&&[^\n\t]]");

  private static final YAMLMapper YAML_WRITER =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  /** A form of the output; {@code WIDE} prints as much as {@code TABLE}, because nothing is cut. */
  private enum Format {
    TABLE,
    WIDE,
    JSON,
    YAML,
    NAME
  }

  @Parameters(
      paramLabel = "FILE",
      description = "The scenario: the body of POST /v1/simulate, JSON or YAML.")
  private Path file;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, wide, json, yaml or name.")
  private Format format = Format.TABLE;

  @Option(names = "--help", usageHelp = true, description = "Show this.")
  @SuppressWarnings("UnusedVariable") // read by the command line's library
  private boolean help;

  @Spec private CommandSpec spec;

  // The command line's library sets the fields.
  @SuppressWarnings("NullAway.Init")
  private SimulateCommand() {}

  @Override
  public Integer call() throws JsonProcessingException {
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    try {
      JsonNode timeline = simulation().simulate(ScenarioFile.read(file), NEVER);
      print(timeline, out);
      if (!out.checkError()) {
        int jobs = timeline.path("jobs").size();
        err.println(jobs + (jobs == 1 ? " job" : " jobs"));
        return ExitCode.OK;
      }
      err.println(
          "carillon: the output could not be written whole; check the disk or the pipe that takes it");
    } catch (InvalidDocument invalid) {
      err.println("carillon: " + file + " is not a valid scenario:");
      invalid
          .faults()
          .forEach(fault -> err.println("  " + fault.pointer() + ": " + fault.detail()));
    } catch (ScenarioFile.Unreadable unreadable) {
      err.println("carillon: " + unreadable.getMessage());
    }
    return ExitCode.SOFTWARE;
  }

  private static Simulation simulation() {
    return new Simulation(
        new ScheduleParser(ZoneOffset.UTC),
        new TargetPolicy(
            LocalAccount.REGION,
            LocalAccount.ID,
            LocalEngine.TARGET_PREFIX,
            List.of("*"),
            Set.of()));
  }

  private void print(JsonNode timeline, PrintWriter out) throws JsonProcessingException {
    JsonNode jobs = timeline.path("jobs");
    switch (format) {
      case JSON -> out.println(timeline.toPrettyString());
      case YAML -> out.print(YAML_WRITER.writeValueAsString(timeline));
      case NAME -> jobs.forEach(job -> out.println(job.path("jobId").asText()));
      default -> jobs.forEach(job -> printJob(job, out));
    }
  }

  private static void printJob(JsonNode job, PrintWriter out) {
    line(
        out,
        "%-24s  %-32s  %s",
        job.path("scheduledFor").asText("-"),
        job.path("schedule").asText(),
        job.path("state").asText());
    for (JsonNode transition : job.path("transitions")) {
      String reason = transition.hasNonNull("reason") ? transition.path("reason").asText() : "";
      line(
          out,
          "    %-24s  %s%s",
          transition.path("at").asText(),
          transition.path("state").asText(),
          reason.isEmpty() ? "" : ": " + reason);
    }
    for (JsonNode launch : job.path("launches")) {
      line(
          out,
          "    %-24s  sent to %s: %s",
          launch.path("at").asText(),
          queue(launch),
          launch.path("body").toString());
    }
  }

  private static void line(PrintWriter out, String format, String... words) {
    out.println(UNPRINTABLE.matcher(format.formatted((Object[]) words)).replaceAll("?"));
  }

  private static String queue(JsonNode launch) {
    String arn = launch.path("queue").asText();
    return arn.substring(arn.lastIndexOf(':') + 1);
  }
}
