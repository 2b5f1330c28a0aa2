package dev.carillon.cli;

import dev.carillon.cli.command.ApplyCommand;
import dev.carillon.cli.command.AppsCommand;
import dev.carillon.cli.command.BackfillCommand;
import dev.carillon.cli.command.CalendarsCommand;
import dev.carillon.cli.command.CompletionCommand;
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
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Puts the command line together. */
public final class CommandLines {

  private CommandLines() {}

  /** Runs a command and returns its exit code. */
  public static int execute(World world, String... arguments) {
    return of(new Session(world)).execute(Arrays.copyOf(arguments, arguments.length));
  }

  static CommandLine of(Session session) {
    CommandLine schedules = new CommandLine(new SchedulesCommand(session));
    schedules.addSubcommand(new BackfillCommand(session));
    CommandLine root =
        new CommandLine(new RootCommand(session))
            .addSubcommand(schedules)
            .addSubcommand(new JobsCommand(session))
            .addSubcommand(new ProgramsCommand(session))
            .addSubcommand(new AppsCommand(session))
            .addSubcommand(new CalendarsCommand(session))
            .addSubcommand(new ResourcesCommand(session))
            .addSubcommand(new EventsCommand(session))
            .addSubcommand(new ApplyCommand(session))
            .addSubcommand(new DiffCommand(session))
            .addSubcommand(new StatusCommand(session))
            .addSubcommand(new DoctorCommand(session))
            .addSubcommand(new ContextCommand(session))
            .addSubcommand(new CompletionCommand());
    Faults faults = new Faults(session);
    return root.setOut(session.world().out())
        .setErr(session.world().err())
        .setColorScheme(CommandLine.Help.defaultColorScheme(colours(session)))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(faults::ofUsage)
        .setExecutionExceptionHandler(faults::ofExecution);
  }

  private static Ansi colours(Session session) {
    return session.style().ansi();
  }
}
