package dev.carillon.command;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Explains what is wrong with the words of a command of a checkout in one or two lines, as the
 * other commands do.
 */
public final class UsageFaults implements IParameterExceptionHandler {

  private static final int WRONG_USAGE = 64;

  @Override
  public int handleParseException(ParameterException fault, String[] arguments) {
    CommandSpec command = fault.getCommandLine().getCommandSpec();
    fault.getCommandLine().getErr().println("carillon: " + text(fault, command));
    fault
        .getCommandLine()
        .getErr()
        .println("  '" + command.qualifiedName() + " --help' shows what there is");
    return WRONG_USAGE;
  }

  private static String text(ParameterException fault, CommandSpec command) {
    if (fault instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched.getUnmatched().get(0), command);
    }
    ArgSpec argument = fault.getArgSpec();
    String value = fault.getValue();
    String form = argument == null ? "" : form(argument.type());
    return value == null || form.isEmpty()
        ? String.valueOf(fault.getMessage())
        : "'%s' is not a value of %s; give %s".formatted(value, name(argument), form);
  }

  private static String unknown(String word, CommandSpec command) {
    if (word.startsWith("-")) {
      Stream<String> options = command.options().stream().map(OptionSpec::longestName);
      return "there is no option " + word + "; give one of " + listed(options);
    }
    Collection<String> commands = command.subcommands().keySet();
    return commands.isEmpty()
        ? "'" + word + "' is an unexpected argument"
        : "there is no command '" + word + "'; give one of " + listed(commands.stream());
  }

  /** The form of the values of a type, in words; empty for other types. */
  private static String form(Class<?> type) {
    if (type.isEnum()) {
      return "one of "
          + listed(
              Arrays.stream(type.getEnumConstants())
                  .map(it -> it.toString().toLowerCase(Locale.ROOT)));
    }
    boolean isWhole = type == int.class || type == long.class || type == Integer.class;
    return isWhole ? "a whole number" : "";
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String listed(Stream<String> words) {
    return words.collect(Collectors.joining(", "));
  }
}
