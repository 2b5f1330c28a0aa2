package dev.carillon.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.apply.SourceFile;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Style;
import dev.carillon.cli.session.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Parameters;

/** {@code carillon simulate}: asks the API to play a scenario on a virtual clock. */
@Command(
    name = "simulate",
    description = {
      "Plays a scenario on a virtual clock; stores and sends nothing.",
      "The file is the body of POST /v1/simulate, JSON or YAML."
    })
public final class SimulateCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "FILE", description = "The scenario.")
  private Path file = Path.of("");

  public SimulateCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode timeline = session.client().simulate(SourceFile.read(file).tree());
    JsonNode jobs = timeline.path("jobs");
    List<String> ids = jobs.valueStream().map(job -> job.path("jobId").asText()).toList();
    session.printer().report(ids, timeline, text(jobs));
    session.note(Counted.of(jobs.size(), "job"));
    return 0;
  }

  private List<Text> text(JsonNode jobs) {
    Style style = session.style();
    List<Text> lines = new ArrayList<>();
    for (JsonNode job : jobs) {
      String when = job.path("scheduledFor").asText("-");
      lines.add(
          style
              .text("%-24s  %-32s  ".formatted(when, job.path("schedule").asText()))
              .concat(style.coloured(job.path("state").asText())));
      for (JsonNode transition : job.path("transitions")) {
        String reason = transition.hasNonNull("reason") ? transition.path("reason").asText() : "";
        lines.add(
            line(
                style,
                transition,
                transition.path("state").asText() + (reason.isEmpty() ? "" : ": " + reason)));
      }
      for (JsonNode launch : job.path("launches")) {
        String arn = launch.path("queue").asText();
        String queue = arn.substring(arn.lastIndexOf(':') + 1);
        lines.add(line(style, launch, "sent to " + queue + ": " + launch.path("body")));
      }
    }
    return lines;
  }

  private static Text line(Style style, JsonNode at, String what) {
    return style.text("    %-24s  %s".formatted(at.path("at").asText(), what));
  }
}
