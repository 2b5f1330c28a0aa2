package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.session.Session;
import dev.carillon.cli.session.World;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.MethodParam;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Range;

/** The grammar that is noted in advance is that of the annotations. */
class GrammarTest {

  private static final Path SOURCE = Path.of("src/main/java/dev/carillon/cli/GrammarNotes.java");

  private static final String MARK = "\"\"\"\n";

  private final Session session = new Session(World.ofProcess());

  @Test
  void theNotesAreThoseOfTheAnnotations() throws IOException {
    StringBuilder notes = new StringBuilder();
    note(notes, "carillon", CommandLines.root(session));
    for (Noun noun : Noun.values()) {
      CommandLine line = noun.whole(session);
      if (noun != Noun.COMPLETION && line.getSubcommands().isEmpty()) {
        note(notes, noun.word(), line);
      }
      new TreeMap<>(line.getSubcommands())
          .forEach((verb, command) -> note(notes, noun.word() + " " + verb, command));
    }
    if (System.getProperty("cli.help", "").equals("write")) {
      String source = Files.readString(SOURCE);
      String lines = notes.toString().indent(6);
      int from = source.indexOf(MARK) + MARK.length();
      Files.writeString(
          SOURCE,
          source.substring(0, from)
              + "\n"
              + lines
              + source.substring(source.lastIndexOf("      \"\"\"")));
    }
    assertThat("\n" + notes)
        .as("write it by: mvn -pl cli -am test -Dtest=GrammarTest -Dcli.help=write")
        .isEqualTo(GrammarNotes.TEXT);
    // The grammar that is made from the notes resolves no variables.
    assertThat(GrammarNotes.TEXT).doesNotContain("${");
  }

  private static void note(StringBuilder notes, String name, CommandLine line) {
    notes.append(name).append('\n');
    CommandSpec spec = line.getCommandSpec();
    List<ArgSpec> mixed = new ArrayList<>();
    StringBuilder within = new StringBuilder();
    for (Map.Entry<String, CommandSpec> mixin : spec.mixins().entrySet()) {
      if (mixin.getKey().equals("mixinStandardHelpOptions")) {
        mixed.addAll(args(spec, mixin.getValue()));
        continue;
      }
      AnnotatedElement place =
          (AnnotatedElement) spec.mixinAnnotatedElements().get(mixin.getKey()).userObject();
      if (!name.equals("carillon")) {
        within.append(' ').append(Grammar.WITHIN).append(' ').append(member(place)).append('\n');
      }
      for (ArgSpec arg : args(spec, mixin.getValue())) {
        within.append(line(arg));
        mixed.add(arg);
      }
    }
    spec.args().stream()
        .filter(arg -> !mixed.contains(arg))
        .forEach(arg -> notes.append(line(arg)));
    notes.append(within);
  }

  /** The arguments of a command that a mixin brings: those with the same place. */
  private static List<ArgSpec> args(CommandSpec spec, CommandSpec mixin) {
    List<Object> places = mixin.args().stream().map(ArgSpec::userObject).toList();
    return spec.args().stream().filter(arg -> places.contains(arg.userObject())).toList();
  }

  private static String line(ArgSpec arg) {
    StringBuilder line = new StringBuilder(" ").append(names(arg));
    line.append(' ').append(member((AnnotatedElement) arg.userObject()));
    if (!arg.arity().isUnspecified()) {
      line.append(" arity=").append(arg.arity());
    }
    if (arg.defaultValue() != null) {
      assertThat(arg.defaultValue()).doesNotContainAnyWhitespaces();
      line.append(" default=").append(arg.defaultValue());
    }
    if (arg.typeInfo().isMultiValue()) {
      line.append(" of=").append(elements(arg));
    }
    return line.append(arg.required() ? " required\n" : "\n").toString();
  }

  private static String names(ArgSpec arg) {
    return arg instanceof OptionSpec option
        ? String.join(",", option.names())
        : ((PositionalParamSpec) arg).index().toString();
  }

  private static String elements(ArgSpec arg) {
    return Arrays.stream(arg.auxiliaryTypes()).map(Class::getName).collect(Collectors.joining(","));
  }

  private static String member(AnnotatedElement place) {
    if (place instanceof Field field) {
      return field.getName();
    }
    MethodParam given = (MethodParam) place;
    Parameter[] all = given.getDeclaringExecutable().getParameters();
    List<String> names = Arrays.stream(all).map(Parameter::getName).toList();
    assertThat(names).contains(given.getName());
    return String.valueOf(names.indexOf(given.getName()));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "COMPLETION")
  void theGrammarReadsWhatTheAnnotationsRead(Noun noun) {
    CommandLine whole = noun.whole(session);
    if (whole.getSubcommands().isEmpty()) {
      assertThat(noted(noun, List.of()).args())
          .extracting(GrammarTest::read)
          .containsExactlyInAnyOrderElementsOf(read(whole));
    }
    whole
        .getSubcommands()
        .forEach(
            (verb, command) ->
                assertThat(noted(noun, List.of("-n", "x", verb)).subcommands())
                    .containsOnlyKeys(verb)
                    .extractingByKey(verb)
                    .satisfies(
                        line ->
                            assertThat(read(line))
                                .containsExactlyInAnyOrderElementsOf(read(command))));
  }

  private CommandSpec noted(Noun noun, List<String> words) {
    return noun.noted(session, words).orElseThrow();
  }

  private static List<List<?>> read(CommandLine line) {
    return line.getCommandSpec().args().stream().<List<?>>map(GrammarTest::read).toList();
  }

  /** What decides how an argument is read. */
  private static List<?> read(ArgSpec arg) {
    Range arity = arg.arity();
    return List.of(
        names(arg),
        arg.type(),
        List.of(arg.auxiliaryTypes()),
        List.of(arity.min(), arity.max(), arity.isVariable(), arity.isUnspecified()),
        String.valueOf(arg.defaultValue()),
        arg.required(),
        arg.splitRegex(),
        arg.isMultiValue());
  }

  @ParameterizedTest
  @EnumSource
  void aVerbHasOneMethodOfItsName(Noun noun) {
    CommandLine whole = noun.whole(session);
    assertThat(whole.getCommandName()).isEqualTo(noun.word());
    Class<?> type = whole.getCommandSpec().userObject().getClass();
    for (Method verb : CommandLine.getCommandMethods(type, null)) {
      assertThat(verb.getName()).isEqualTo(verb.getAnnotation(CommandLine.Command.class).name());
      assertThat(type.getDeclaredMethods())
          .extracting(Method::getName)
          .containsOnlyOnce(verb.getName());
    }
  }
}
