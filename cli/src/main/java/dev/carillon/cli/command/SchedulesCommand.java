package dev.carillon.cli.command;

import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Printer;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.session.Session;
import dev.carillon.client.Cancelled;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Explanation;
import dev.carillon.client.Launched;
import dev.carillon.client.Preview;
import dev.carillon.client.ScheduleFilter;
import dev.carillon.client.Skipped;
import dev.carillon.client.StoredSchedule;
import dev.carillon.client.SuspendMode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon schedules …}. */
@Command(
    name = "schedules",
    addMethodSubcommands = false,
    description = "Shows and changes schedules.")
public final class SchedulesCommand {

  private static final String NAME = "NAME";

  private final Session session;

  public SchedulesCommand(Session session) {
    this.session = session;
  }

  /** Prints an empty list, which loads the classes of a list. */
  public static void load(Printer printer, Times times) {
    printer.list(List.of(), ScheduleView.table(times));
  }

  @Command(name = "list", description = "Lists the schedules of the namespace, by name.")
  void list(@Mixin ScheduleFilters filters, @Mixin ListOptions options) {
    ScheduleFilter filter = filters.filter();
    List<StoredSchedule> found =
        options.read(session, (size, next) -> session.namespace().schedules(filter, size, next));
    session.printer().list(found, ScheduleView.table(session.times()));
  }

  @Command(name = "show", description = "Shows a schedule with its document.")
  void show(@Parameters(paramLabel = NAME) String name) {
    print(session.namespace().schedule(name));
  }

  @Command(name = "delete", description = "Deletes schedules; their history stays.")
  int delete(
      @Parameters(paramLabel = NAME, arity = "1..*") List<String> names,
      @Option(names = "--yes", description = "Do not ask.") boolean yes) {
    if (!session.confirms("Delete " + String.join(", ", names) + "?", yes)) {
      return 1;
    }
    int missing = 0;
    for (String name : names) {
      missing += isDeleted(name) ? 0 : 1;
    }
    return missing == 0 ? 0 : 1;
  }

  private boolean isDeleted(String name) {
    String id = session.namespaceName() + "/" + name;
    try {
      Optional<Cancelled> cancelled = session.namespace().delete(name);
      session.note("deleted " + id + ScheduleView.cancelling(cancelled));
      return true;
    } catch (CarillonException.NotFound none) {
      session.note("there is no schedule " + id);
      return false;
    }
  }

  @Command(name = "suspend", description = "Suspends a schedule, until it is resumed.")
  void suspend(
      @Parameters(paramLabel = NAME) String name,
      @Option(
              names = "--mode",
              paramLabel = "MODE",
              completionCandidates = Choices.SuspendModes.class,
              defaultValue = "DISCARD",
              description = {
                "discard cancels waiting jobs; drain lets them proceed; hold keeps them for the"
                    + " resumption; backlog also keeps new ones. Default: discard."
              })
          SuspendMode mode,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why.")
          @Nullable String reason,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "When it is resumed automatically, like PT2H or tomorrow.")
          @Nullable String until) {
    print(
        session.namespace().suspend(name, mode, reason, session.optionalMoment("--until", until)));
  }

  @Command(name = "resume", description = "Resumes a schedule, and launches the jobs that it kept.")
  void resume(@Parameters(paramLabel = NAME) String name) {
    print(session.namespace().resume(name));
  }

  @Command(name = "launch", description = "Launches a job now, whatever the trigger.")
  void launch(@Parameters(paramLabel = NAME) String name, @Mixin LaunchOptions options) {
    Launched launched = session.namespace().launch(name, options.launch());
    Card card =
        new Card()
            .with("Job", launched.jobId())
            .with("Held by", String.join("\n", launched.heldBy()));
    session.printer().item(launched.jobId(), launched, card);
  }

  @Command(name = "skip", description = "Skips the next fire.")
  void skip(@Parameters(paramLabel = NAME) String name) {
    Skipped skipped = session.namespace().skip(name);
    Card card =
        new Card()
            .with("Skipped", session.times().text(skipped.fire()))
            .with("Job", skipped.jobId());
    session.printer().item(skipped.jobId(), skipped, card);
  }

  @Command(
      name = "preview",
      description = "Shows the next fires and the requests that they will send.")
  void preview(
      @Parameters(paramLabel = NAME) String name,
      @Option(names = "--from", paramLabel = "TIME", description = "Only fires after this instant.")
          @Nullable String from,
      @Option(
              names = "--count",
              paramLabel = "N",
              defaultValue = "10",
              description = "How many fires, 1 to 1,000; 10 by default.")
          int count) {
    Preview preview =
        session.namespace().preview(name, session.optionalMoment("--from", from), count);
    session.note(preview.description());
    session.printer().list(preview.fires(), fires(session.times()));
  }

  private static Table<Preview.Fire> fires(Times times) {
    return Table.<Preview.Fire>of("FIRE", fire -> times.text(fire.scheduledFor()))
        .column("IN ITS ZONE", Preview.Fire::local)
        .column("CLOCK CHANGE", fire -> Objects.toString(fire.dst(), ""))
        .wide("REQUEST", fire -> fire.request() == null ? "" : fire.request().body());
  }

  @Command(
      name = "explain",
      description = "Shows why a schedule has not launched, and when it will.")
  void explain(@Parameters(paramLabel = NAME) String name) {
    Explanation explanation = session.namespace().explain(name);
    session
        .printer()
        .item(name, explanation.details(), ExplanationView.card(explanation, session.times()));
  }

  private void print(StoredSchedule schedule) {
    session.printer().item(schedule.name(), schedule, ScheduleView.card(schedule, session.times()));
  }
}
