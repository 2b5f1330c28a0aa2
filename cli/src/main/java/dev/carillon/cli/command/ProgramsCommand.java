package dev.carillon.cli.command;

import static java.util.stream.Collectors.toList;

import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.session.Session;
import dev.carillon.client.DeletedSchedules;
import dev.carillon.client.Job;
import dev.carillon.client.Program;
import dev.carillon.client.ScheduleFilter;
import dev.carillon.client.StoredSchedule;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon programs …}. */
@Command(
    name = "programs",
    addMethodSubcommands = false,
    description = "Shows programs with their limits, slots and jobs.")
public final class ProgramsCommand {

  private static final String NAME = "PROGRAM";

  private final Session session;

  public ProgramsCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "Lists the programs that schedules launch, by name.")
  void list() {
    Map<String, List<StoredSchedule>> byProgram =
        session
            .namespace()
            .schedules(ScheduleFilter.all())
            .collect(Collectors.groupingBy(ProgramsCommand::program, TreeMap::new, toList()));
    List<Summary> programs =
        byProgram.entrySet().stream().map(it -> Summary.of(it.getKey(), it.getValue())).toList();
    Times times = session.times();
    session
        .printer()
        .list(
            programs,
            Table.of("PROGRAM", Summary::program)
                .column("SCHEDULES", it -> Integer.toString(it.schedules()))
                .column("ACTIVE", it -> Long.toString(it.active()))
                .column("NEXT FIRE", it -> times.text(it.nextFire())));
  }

  /**
   * A program in a list.
   *
   * @param schedules how many schedules launch it
   * @param active how many of these schedules are ACTIVE
   * @param nextFire the earliest of their next fires; null for none
   */
  private record Summary(String program, int schedules, long active, @Nullable Instant nextFire) {

    static Summary of(String program, List<StoredSchedule> schedules) {
      long active =
          schedules.stream().filter(it -> it.state() == StoredSchedule.State.ACTIVE).count();
      Instant next =
          schedules.stream()
              .map(StoredSchedule::nextFire)
              .filter(Objects::nonNull)
              .min(Comparator.naturalOrder())
              .orElse(null);
      return new Summary(program, schedules.size(), active, next);
    }
  }

  /** The program of a schedule. If the document names none, it is the name of the schedule. */
  private static String program(StoredSchedule schedule) {
    return schedule.document().path("program").asText(schedule.name());
  }

  @Command(name = "show", description = "Shows a program with its limits and jobs.")
  void show(@Parameters(paramLabel = NAME) String name) {
    Program program = session.namespace().program(name);
    session.printer().item(name, program, card(program, session.times()));
  }

  private static Card card(Program program, Times times) {
    return new Card()
        .with("Program", program.namespace() + "/" + program.name())
        .with("Schedules", lines(program.schedules(), it -> it.name() + "  " + it.stateName()))
        .with("More", program.moreSchedules() ? "there are more schedules" : "")
        .with("Limits", lines(program.limits(), ProgramsCommand::limit))
        .with("Gates", lines(program.gates(), gate -> gate(gate, times)))
        .with(
            "Last runs",
            lines(
                program.lastRuns(),
                it -> it.jobId() + "  " + it.stateName() + "  " + times.text(it.launchedAt())));
  }

  private static String limit(Program.Limit limit) {
    return "%s of %s: %s"
        .formatted(limit.type(), limit.gate(), limit.reason() == null ? "open" : limit.reason());
  }

  private static String gate(Program.Gate gate, Times times) {
    String holders =
        lines(
            gate.holders(), it -> "\n  held by " + it.jobId() + " since " + times.text(it.since()));
    return "%s: slots held: %d, waiting: %d%s"
        .formatted(gate.gate(), gate.holding(), gate.waiting(), holders);
  }

  private static <T> String lines(List<T> items, Function<T, String> line) {
    return items.stream().map(line).collect(Collectors.joining("\n"));
  }

  @Command(name = "jobs", description = "Lists the jobs of all its schedules, newest first.")
  void jobs(
      @Parameters(paramLabel = NAME) String name,
      @Option(
              names = "--state",
              paramLabel = "STATE",
              completionCandidates = Choices.JobStates.class,
              description = "Only jobs in this state: ${COMPLETION-CANDIDATES}.")
          Job.@Nullable State state,
      @Mixin ListOptions options) {
    List<Job> found =
        options.read(
            session, (size, next) -> session.namespace().jobsOfProgram(name, state, size, next));
    session.printer().list(found, JobView.table(session.times()));
  }

  @Command(
      name = "delete",
      description = "Deletes the schedules that launch it, except those of apps.")
  int delete(
      @Parameters(paramLabel = NAME) String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes) {
    if (!session.confirms("Delete all schedules that launch " + name + "?", yes)) {
      return 1;
    }
    DeletedSchedules deleted = session.namespace().deleteProgram(name);
    if (deleted.deleted() + deleted.keptByApps() == 0) {
      throw new CommandFault(
          "no schedule of the namespace %s launches %s\n  check the name and --namespace; 'carillon programs list' shows what there is"
              .formatted(session.namespaceName(), name));
    }
    Card card =
        new Card()
            .with("Deleted", deleted.deleted())
            .with("Kept by apps", deleted.keptByApps())
            .with("Cancelled", ScheduleView.cancelled(deleted.cancelled()));
    session.printer().item(name, deleted, card);
    return 0;
  }
}
