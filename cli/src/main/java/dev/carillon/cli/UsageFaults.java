package dev.carillon.cli;

import dev.carillon.cli.output.Style;
import dev.carillon.cli.session.Session;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains what is wrong with the words of a command, and names the nearest word. */
final class UsageFaults implements IParameterExceptionHandler {

  static final int WRONG_USAGE = 64;

  /** The commands that only the script of a checkout has. */
  private static final List<String> OF_CHECKOUT = List.of("local", "demo", "bench");

  /** The forms of values by their types, in words. */
  private static final Map<Class<?>, String> FORMS =
      Map.of(
          BigDecimal.class, "a number",
          Integer.class, "a whole number",
          int.class, "a whole number",
          Duration.class, "a duration like PT1H or P1D");

  private final Session session;

  UsageFaults(Session session) {
    this.session = session;
  }

  @Override
  public int handleParseException(ParameterException fault, String[] arguments) {
    CommandLine command = fault.getCommandLine();
    String hint = "'" + command.getCommandSpec().qualifiedName() + " --help' shows what there is";
    if (fault instanceof UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().get(0);
      say(unknown(first, command) + "\n  " + nearest(first, command) + hint);
    } else {
      say(wrong(fault) + hint);
    }
    return WRONG_USAGE;
  }

  private void say(String text) {
    session.note("carillon: " + Style.printable(text));
  }

  private static String unknown(String word, CommandLine command) {
    if (word.startsWith("-")) {
      return "there is no option " + word;
    }
    return command.getSubcommands().isEmpty()
        ? "'" + word + "' is an unexpected argument"
        : "there is no command '" + word + "'";
  }

  private static String nearest(String word, CommandLine command) {
    if (word.startsWith("-")) {
      return meant(word, command.getCommandSpec().optionsMap().keySet());
    }
    CommandLine root = command.getCommandSpec().root().commandLine();
    boolean isOfRoot = command != root && root.getSubcommands().containsKey(word);
    if (isOfRoot) {
      return "did you mean '" + root.getCommandName() + " " + word + "'? ";
    }
    return command == root
        ? meantOfAll(word, root)
        : meant(word, command.getSubcommands().keySet());
  }

  private static String meantOfAll(String word, CommandLine root) {
    Set<String> words = new LinkedHashSet<>(root.getSubcommands().keySet());
    words.addAll(OF_CHECKOUT);
    return Nearest.to(word, words)
        .filter(OF_CHECKOUT::contains)
        .map(near -> "did you mean './carillon " + near + "' of a checkout? ")
        .orElseGet(() -> meant(word, root.getSubcommands().keySet()));
  }

  private static String meant(String word, Set<String> words) {
    return Nearest.to(word, words).map(nearest -> "did you mean " + nearest + "? ").orElse("");
  }

  /** The text before the hint, which follows on the same or the next line. */
  private static String wrong(ParameterException fault) {
    ArgSpec argument = fault.getArgSpec();
    String value = fault.getValue();
    if (argument == null || value == null) {
      return String.valueOf(fault.getMessage()).lines().findFirst().orElse("") + "\n  ";
    }
    Class<?> type =
        argument.isMultiValue() ? argument.auxiliaryTypes()[0] : argument.typeInfo().getType();
    if (type.isEnum()) {
      List<String> words = words(argument);
      return "'%s' is not a %s; give one of %s\n  %s"
          .formatted(
              value, name(argument), String.join(", ", words), meant(value, Set.copyOf(words)));
    }
    String form = FORMS.get(type);
    return (form == null
            ? String.valueOf(fault.getMessage()).replaceFirst(" \\((java|dev)\\..*", "")
            : "'%s' is not a %s; give %s".formatted(value, name(argument), form))
        + "\n  ";
  }

  private static List<String> words(ArgSpec argument) {
    List<String> words = new ArrayList<>();
    Iterable<String> candidates = argument.completionCandidates();
    if (candidates == null) {
      for (Object constant : argument.typeInfo().getType().getEnumConstants()) {
        words.add(constant.toString());
      }
    } else {
      candidates.forEach(words::add);
    }
    return words;
  }

  private static String name(ArgSpec argument) {
    return argument instanceof PositionalParamSpec
        ? argument.paramLabel()
        : "value of " + ((CommandLine.Model.OptionSpec) argument).longestName();
  }
}
