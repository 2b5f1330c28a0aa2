package dev.carillon.cli;

import dev.carillon.cli.command.ApplyCommand;
import dev.carillon.cli.command.AppsCommand;
import dev.carillon.cli.command.BackfillCommand;
import dev.carillon.cli.command.BackfillsCommand;
import dev.carillon.cli.command.CalendarsCommand;
import dev.carillon.cli.command.CompletionCommand;
import dev.carillon.cli.command.ConsoleCommand;
import dev.carillon.cli.command.ContextCommand;
import dev.carillon.cli.command.DiffCommand;
import dev.carillon.cli.command.DoctorCommand;
import dev.carillon.cli.command.EventsCommand;
import dev.carillon.cli.command.JobsCommand;
import dev.carillon.cli.command.PoolsCommand;
import dev.carillon.cli.command.ProgramsCommand;
import dev.carillon.cli.command.ResourcesCommand;
import dev.carillon.cli.command.SchedulesCommand;
import dev.carillon.cli.command.SimulateCommand;
import dev.carillon.cli.command.StatusCommand;
import dev.carillon.cli.session.Session;
import dev.carillon.exports.ExportCommand;
import dev.carillon.imports.command.ImportCommand;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The first words of commands, in the order of the help. */
enum Noun {
  SCHEDULES,
  BACKFILLS,
  JOBS,
  PROGRAMS,
  APPS,
  CALENDARS,
  RESOURCES,
  POOLS,
  EVENTS,
  SIMULATE,
  APPLY,
  DIFF,
  IMPORT,
  EXPORT,
  STATUS,
  DOCTOR,
  CONSOLE,
  CONTEXT,
  COMPLETION;

  private static final String BACKFILL = "backfill";

  /** The noun, as it is written in the command line. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The command with all its verbs. */
  CommandLine whole(Session session) {
    CommandLine line = new CommandLine(command(session));
    CommandLine.getCommandMethods(line.getCommandSpec().userObject().getClass(), null)
        .forEach(verb -> line.addSubcommand(new CommandLine(verb)));
    return this == SCHEDULES ? line.addSubcommand(new BackfillCommand(session)) : line;
  }

  /**
   * Builds the command from the notes of {@link Grammar}, with only those verbs that the user's
   * words contain. The result is empty if the command needs a verb and the words contain none. The
   * method of a verb has the verb's name.
   */
  Optional<CommandSpec> noted(Session session, Collection<String> words) {
    if (Grammar.has(word())) {
      return Optional.of(Grammar.command(word(), command(session)));
    }
    CommandSpec spec = Grammar.empty(word());
    Object noun = command(session);
    for (String word : new TreeSet<>(words)) {
      String name = word() + " " + word;
      if (Grammar.has(name)) {
        boolean isMethod = this != SCHEDULES || !word.equals(BACKFILL);
        spec.addSubcommand(
            word,
            new CommandLine(
                isMethod
                    ? Grammar.verb(name, Verb.of(noun, word))
                    : Grammar.command(name, new BackfillCommand(session)),
                new LateFactory()));
      }
    }
    return spec.subcommands().isEmpty() ? Optional.empty() : Optional.of(spec);
  }

  /** The part of the command that the help of the root shows. */
  CommandLine outline(Session session) {
    Command about = command(session).getClass().getAnnotation(Command.class);
    CommandSpec spec = CommandSpec.create().name(word());
    spec.usageMessage().description(about.description());
    return new CommandLine(spec);
  }

  private Object command(Session session) {
    return switch (this) {
      case SCHEDULES -> new SchedulesCommand(session);
      case BACKFILLS -> new BackfillsCommand(session);
      case JOBS -> new JobsCommand(session);
      case PROGRAMS -> new ProgramsCommand(session);
      case APPS -> new AppsCommand(session);
      case CALENDARS -> new CalendarsCommand(session);
      case RESOURCES -> new ResourcesCommand(session);
      case POOLS -> new PoolsCommand(session);
      case EVENTS -> new EventsCommand(session);
      case SIMULATE -> new SimulateCommand(session);
      case APPLY -> new ApplyCommand(session);
      case DIFF -> new DiffCommand(session);
      case IMPORT -> new ImportCommand(session);
      case EXPORT -> new ExportCommand(session);
      case STATUS -> new StatusCommand(session);
      case DOCTOR -> new DoctorCommand(session);
      case CONSOLE -> new ConsoleCommand(session);
      case CONTEXT -> new ContextCommand(session);
      case COMPLETION -> new CompletionCommand();
    };
  }
}
