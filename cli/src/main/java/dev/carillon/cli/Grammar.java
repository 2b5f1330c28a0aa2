package dev.carillon.cli;

import dev.carillon.cli.session.GlobalOptions;
import dev.carillon.cli.session.Session;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/**
 * The options and parameters of the commands, noted in advance. Reading them from the annotations
 * takes longer than the rest of a process, because the JVM generates classes for it. A test
 * compares the notes with the annotations. The texts that people read are not noted.
 */
final class Grammar {

  /** Begins a line that names the object to which the options in the following lines belong. */
  static final String WITHIN = "within";

  static final String ROOT = "carillon";

  private Grammar() {}

  static boolean has(String command) {
    return command.indexOf('\n') < 0 && GrammarNotes.TEXT.contains("\n" + command + "\n");
  }

  /** The indented lines that follow the name of a command. */
  private static List<String> lines(String command) {
    List<String> lines = new ArrayList<>();
    String text = GrammarNotes.TEXT;
    int from = text.indexOf("\n" + command + "\n") + command.length() + 2;
    while (text.startsWith(" ", from)) {
      int end = text.indexOf('\n', from);
      lines.add(text.substring(from + 1, end));
      from = end + 1;
    }
    return lines;
  }

  /** The options of all commands. */
  static CommandSpec root(Session session) {
    GlobalOptions options = session.options();
    CommandSpec spec = empty(ROOT);
    return filled(spec, ROOT, member -> Binding.of(options, member), ScopeType.INHERIT)
        .addOption(wish("-h", "--help").usageHelp(true).build())
        .addOption(wish("-V", "--version").versionHelp(true).build());
  }

  private static OptionSpec.Builder wish(String... names) {
    return OptionSpec.builder(names).type(boolean.class).scopeType(ScopeType.INHERIT);
  }

  /**
   * Whether the words ask for help or the version. The grammar lacks the texts of both, so the
   * caller then reads the annotations.
   */
  static boolean asksForHelp(ParseResult parsed) {
    boolean asks = parsed.isUsageHelpRequested() || parsed.isVersionHelpRequested();
    return asks || (parsed.hasSubcommand() && asksForHelp(parsed.subcommand()));
  }

  /** A command without options and parameters. */
  static CommandSpec empty(String name) {
    return spec(null, name);
  }

  /** The notes contain no variables, and to search them takes a quarter of the parsing. */
  private static CommandSpec spec(@Nullable Object options, String name) {
    return CommandSpec.wrapWithoutInspection(options, new LateFactory())
        .name(name)
        .interpolateVariables(false);
  }

  /** A command whose options and parameters are fields of an object. */
  static CommandSpec command(String command, Object options) {
    return filled(
        spec(options, command.substring(command.indexOf(' ') + 1)),
        command,
        member -> Binding.of(options, member),
        ScopeType.LOCAL);
  }

  /** A verb, whose options and parameters are arguments of its method. */
  static CommandSpec verb(String command, Verb verb) {
    return filled(
        spec(verb, verb.name()),
        command,
        member -> verb.argument(Integer.parseInt(member)),
        ScopeType.LOCAL);
  }

  /** Finds the place of a value by its name. */
  private interface Place {
    Binding at(String member) throws ReflectiveOperationException;
  }

  private static CommandSpec filled(CommandSpec spec, String command, Place own, ScopeType scope) {
    try {
      Place place = own;
      for (String line : lines(command)) {
        String[] words = line.split(" ");
        if (words[0].equals(WITHIN)) {
          Object options = own.at(words[1]).options();
          place = member -> Binding.of(options, member);
        } else {
          spec.add(Note.of(words).argument(place.at(words[1]), scope));
        }
      }
      return spec;
    } catch (ReflectiveOperationException notCurrent) {
      throw new IllegalStateException("the notes do not fit the commands", notCurrent);
    }
  }

  /**
   * An option or a parameter.
   *
   * @param names the names of an option, or the index of a parameter
   * @param arity null for the arity that the type usually has
   * @param elements the types of the elements of a list or a map; empty for another value
   */
  @SuppressWarnings("ArrayRecordComponent") // notes are never compared
  private record Note(
      String names,
      @Nullable String arity,
      @Nullable String byDefault,
      Class<?>[] elements,
      boolean isRequired) {

    /**
     * Reads a note: the names, the member, and unusual properties. These properties are {@code
     * arity=}, {@code default=}, {@code of=} with the types of elements, and {@code required}.
     */
    static Note of(String[] words) throws ClassNotFoundException {
      String arity = null;
      String byDefault = null;
      Class<?>[] elements = {};
      boolean isRequired = false;
      for (int i = 2; i < words.length; i++) {
        String value = words[i].substring(words[i].indexOf('=') + 1);
        switch (words[i].charAt(0)) {
          case 'a' -> arity = value;
          case 'd' -> byDefault = value;
          case 'o' -> elements = types(value.split(","));
          default -> isRequired = true;
        }
      }
      return new Note(words[0], arity, byDefault, elements, isRequired);
    }

    private static Class<?>[] types(String[] names) throws ClassNotFoundException {
      Class<?>[] types = new Class<?>[names.length];
      for (int i = 0; i < names.length; i++) {
        types[i] = Class.forName(names[i]);
      }
      return types;
    }

    ArgSpec argument(Binding binding, ScopeType scope) {
      return names.startsWith("-") ? option(binding, scope) : parameter(binding);
    }

    private OptionSpec option(Binding binding, ScopeType scope) {
      OptionSpec.Builder spec = OptionSpec.builder(names.split(",")).scopeType(scope);
      if (arity != null) {
        spec.arity(arity);
      }
      spec.type(binding.type()).auxiliaryTypes(elements).defaultValue(byDefault);
      return spec.required(isRequired)
          .hasInitialValue(false)
          .getter(binding)
          .setter(binding)
          .build();
    }

    private PositionalParamSpec parameter(Binding binding) {
      PositionalParamSpec.Builder spec = PositionalParamSpec.builder().index(names);
      if (arity != null) {
        spec.arity(arity);
      }
      spec.type(binding.type()).auxiliaryTypes(elements).defaultValue(byDefault);
      return spec.required(isRequired)
          .hasInitialValue(false)
          .getter(binding)
          .setter(binding)
          .build();
    }
  }
}
