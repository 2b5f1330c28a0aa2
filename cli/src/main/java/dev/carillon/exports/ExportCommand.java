package dev.carillon.exports;

import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Progress;
import dev.carillon.cli.session.Session;
import dev.carillon.client.schedule.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code carillon export}: writes everything of namespaces as NDJSON. */
@Command(
    name = "export",
    description = {
      "Writes the schedules, calendars, resources, pools and apps of namespaces as NDJSON.",
      "'carillon import carillon FILE --apply --yes' stores them again. Jobs are not exported."
    })
public final class ExportCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(
      paramLabel = "NAMESPACE",
      arity = "0..*",
      description = "The namespaces; by default the current one.")
  private List<String> namespaces = new ArrayList<>();

  public ExportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    PrintWriter out = session.world().out();
    AtomicLong entries = new AtomicLong();
    List<String> chosen = namespaces.isEmpty() ? List.of(session.namespaceName()) : namespaces;
    try (Progress progress = progress()) {
      Exporter exporter =
          new Exporter(
              session.client(),
              entry -> {
                out.print(Json.write(entry.json()) + "\n");
                progress.at(entries.incrementAndGet());
              });
      chosen.stream().distinct().forEach(exporter::export);
    }
    // If the output is incomplete, the command line reports that instead.
    if (!out.checkError()) {
      session.note(
          "exported "
              + Counted.of(entries.get(), "entry", "entries")
              + " of "
              + String.join(", ", chosen));
    }
    return 0;
  }

  /**
   * The progress of the export. On a terminal, the printed entries show the progress already, and a
   * bar would appear between them.
   */
  private Progress progress() {
    return session.world().terminal().isInteractive()
        ? Progress.hidden()
        : session.progress("export", -1);
  }
}
