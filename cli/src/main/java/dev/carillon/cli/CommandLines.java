package dev.carillon.cli;

import dev.carillon.cli.session.Session;
import dev.carillon.cli.session.World;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/**
 * Puts the command line together. Reading the annotations of all commands would take most of the
 * time of a command, so usually only those are read that are among the words.
 */
public final class CommandLines {

  private static final List<String> HELP = List.of("--help");

  private CommandLines() {}

  /** Runs a command and returns its exit code. */
  public static int execute(World world, String... arguments) {
    List<String> words = List.of(arguments);
    if (words.equals(HELP)) {
      RootHelp.print(world, new Session(world).hasColours());
      return 0;
    }
    List<Noun> named = named(words);
    if (named.isEmpty() || named.contains(Noun.COMPLETION)) {
      return whole(world, words).execute(arguments);
    }
    Session session = new Session(world);
    CommandLine root = root(session);
    for (Noun noun : named) {
      root.addSubcommand(noun.word(), noun.part(session, words));
    }
    // A fault comes before any effect. The whole command line knows which word is nearest.
    return prepared(root, session)
        .setParameterExceptionHandler((fault, given) -> whole(world, words).execute(given))
        .execute(arguments);
  }

  /** The nouns among the words. A loop, because a stream takes time to start. */
  private static List<Noun> named(List<String> words) {
    List<Noun> named = new ArrayList<>();
    for (Noun noun : Noun.values()) {
      if (words.contains(noun.word())) {
        named.add(noun);
      }
    }
    return named;
  }

  /** The command line with all nouns. */
  private static CommandLine whole(World world, List<String> words) {
    Session session = new Session(world);
    CommandLine root = root(session);
    for (Noun noun : Noun.values()) {
      boolean isWanted = words.contains(noun.word()) || words.contains(Noun.COMPLETION.word());
      root.addSubcommand(noun.word(), isWanted ? noun.whole(session) : noun.outline(session));
    }
    return prepared(root, session);
  }

  private static CommandLine root(Session session) {
    return new CommandLine(new RootCommand(session));
  }

  private static CommandLine prepared(CommandLine root, Session session) {
    Faults faults = new Faults(session);
    return root.setOut(session.world().out())
        .setErr(session.world().err())
        .setColorScheme(CommandLine.Help.defaultColorScheme(session.style().ansi()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(faults::ofUsage)
        .setExecutionExceptionHandler(faults::ofExecution);
  }
}
