package dev.carillon.cli;

import dev.carillon.cli.command.ApplyCommand;
import dev.carillon.cli.command.AppsCommand;
import dev.carillon.cli.command.BackfillCommand;
import dev.carillon.cli.command.CalendarsCommand;
import dev.carillon.cli.command.CompletionCommand;
import dev.carillon.cli.command.ConsoleCommand;
import dev.carillon.cli.command.ContextCommand;
import dev.carillon.cli.command.DiffCommand;
import dev.carillon.cli.command.DoctorCommand;
import dev.carillon.cli.command.EventsCommand;
import dev.carillon.cli.command.JobsCommand;
import dev.carillon.cli.command.ProgramsCommand;
import dev.carillon.cli.command.ResourcesCommand;
import dev.carillon.cli.command.SchedulesCommand;
import dev.carillon.cli.command.StatusCommand;
import dev.carillon.cli.session.Session;
import dev.carillon.cli.session.World;
import dev.carillon.exports.ExportCommand;
import dev.carillon.imports.command.ImportCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Puts the command line together. */
public final class CommandLines {

  private static final String COMPLETION = "completion";

  private CommandLines() {}

  /** Runs a command and returns its exit code. */
  public static int execute(World world, String... arguments) {
    List<String> words = List.of(arguments);
    return of(new Session(world), words).execute(words.toArray(String[]::new));
  }

  /**
   * The command line with all nouns. Only those that are among the words have their verbs and
   * options, because reading all of them takes most of the time that a command takes.
   */
  private static CommandLine of(Session session, List<String> words) {
    CommandLine root = new CommandLine(new RootCommand(session));
    for (Object noun : nouns(session)) {
      Command about = noun.getClass().getAnnotation(Command.class);
      boolean isWanted = words.contains(about.name()) || words.contains(COMPLETION);
      root.addSubcommand(about.name(), isWanted ? whole(noun, session) : outline(about));
    }
    Faults faults = new Faults(session);
    return root.setOut(session.world().out())
        .setErr(session.world().err())
        .setColorScheme(CommandLine.Help.defaultColorScheme(session.style().ansi()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(faults::ofUsage)
        .setExecutionExceptionHandler(faults::ofExecution);
  }

  private static List<Object> nouns(Session session) {
    return List.of(
        new SchedulesCommand(session),
        new JobsCommand(session),
        new ProgramsCommand(session),
        new AppsCommand(session),
        new CalendarsCommand(session),
        new ResourcesCommand(session),
        new EventsCommand(session),
        new ApplyCommand(session),
        new DiffCommand(session),
        new ImportCommand(session),
        new ExportCommand(session),
        new StatusCommand(session),
        new DoctorCommand(session),
        new ConsoleCommand(session),
        new ContextCommand(session),
        new CompletionCommand());
  }

  private static CommandLine whole(Object noun, Session session) {
    CommandLine line = new CommandLine(noun);
    return noun instanceof SchedulesCommand
        ? line.addSubcommand(new BackfillCommand(session))
        : line;
  }

  /** What the help of the root shows of a noun. */
  private static CommandLine outline(Command about) {
    CommandSpec spec = CommandSpec.create().name(about.name());
    spec.usageMessage().description(about.description());
    return new CommandLine(spec);
  }
}
