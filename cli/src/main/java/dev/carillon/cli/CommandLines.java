package dev.carillon.cli;

import dev.carillon.cli.session.Session;
import dev.carillon.cli.session.World;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Builds the command line. Reading the annotations of all commands would take most of the time of a
 * call, so a call usually uses the notes of {@link Grammar}.
 */
public final class CommandLines {

  private static final List<String> HELP = List.of("--help");

  private CommandLines() {}

  /** Runs a command and returns its exit code, which is not 0 if the output is incomplete. */
  public static int execute(World world, String... arguments) {
    int code = run(world, arguments);
    if (!world.out().checkError()) {
      return code;
    }
    world
        .err()
        .println(
            "carillon: the output could not be written whole; check the disk or the pipe that takes it");
    world.err().flush();
    return Math.max(code, Faults.FAILED);
  }

  private static int run(World world, String... arguments) {
    List<String> words = List.of(arguments);
    if (words.equals(HELP)) {
      RootHelp.print(world, new Session(world).hasColours());
      return 0;
    }
    new ClassLoading(world).start();
    Session session = new Session(world);
    return noted(session, words)
        .map(root -> new Noted(session, words).prepared(root))
        .orElseGet(() -> whole(world, words))
        .execute(arguments);
  }

  /**
   * The command line that the notes describe, for the nouns and verbs among the words; empty if the
   * words lack a noun or one of its verbs.
   */
  private static Optional<CommandLine> noted(Session session, Collection<String> words) {
    CommandLine root = new CommandLine(Grammar.root(session), new LateFactory());
    for (Noun noun : Noun.values()) {
      if (words.contains(noun.word())) {
        Optional<CommandSpec> command = noun.noted(session, words);
        if (command.isEmpty()) {
          return Optional.empty();
        }
        root.addSubcommand(noun.word(), new CommandLine(command.get(), new LateFactory()));
      }
    }
    return root.getSubcommands().isEmpty() ? Optional.empty() : Optional.of(root);
  }

  /**
   * Passes faults and requests for help to the whole command line, which knows all texts and the
   * nearest word. At that point, the command has had no effect. This is no lambda, because the JVM
   * does not archive lambdas of interfaces with old class files.
   */
  private record Noted(Session session, List<String> words)
      implements IParameterExceptionHandler, IExecutionStrategy {

    CommandLine prepared(CommandLine root) {
      return CommandLines.prepared(root, session)
          .setParameterExceptionHandler(this)
          .setExecutionStrategy(this);
    }

    private int whole() {
      return CommandLines.whole(session.world(), words).execute(words.toArray(String[]::new));
    }

    @Override
    public int handleParseException(ParameterException fault, String[] arguments) {
      return whole();
    }

    @Override
    public int execute(ParseResult parsed) {
      return Grammar.asksForHelp(parsed) ? whole() : new RunLast().execute(parsed);
    }
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

  static CommandLine root(Session session) {
    return new CommandLine(new RootCommand(session));
  }

  private static CommandLine prepared(CommandLine root, Session session) {
    return root.setOut(session.world().out())
        .setErr(session.world().err())
        .setExpandAtFiles(false)
        .setColorScheme(CommandLine.Help.defaultColorScheme(session.style().ansi()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Duration.class, new DurationConverter())
        .setParameterExceptionHandler(new UsageFaults(session))
        .setExecutionExceptionHandler(new Faults(session));
  }

  /**
   * Reads durations, for which {@link Main} excludes the library's converter. This is no method
   * reference, because the JVM takes milliseconds for the first one.
   */
  private static final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Duration.parse(text);
    }
  }
}
