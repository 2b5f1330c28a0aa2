package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sources, tests, templates and documents name their actors and use the terms of the project. */
class PlainWordsTest {

  private static final Path ROOT = Path.of("..");

  private static final String ACTOR =
      "name the actor: the caller, worker, operator, checker, another invocation";

  private static final Map<String, String> BETTER =
      Map.ofEntries(
          Map.entry("who", ACTOR),
          Map.entry("somebody", ACTOR),
          Map.entry("someone", ACTOR),
          Map.entry("nobody", ACTOR),
          Map.entry("no one", ACTOR),
          Map.entry("anyone", ACTOR),
          Map.entry("anybody", ACTOR),
          Map.entry("whoever", ACTOR),
          Map.entry("whom", ACTOR),
          Map.entry("anew", "again, another or new"),
          Map.entry("lest", "so that … not"),
          Map.entry("accumulator", "collecting job"),
          Map.entry("patience", "time-out or deadline"),
          Map.entry("by hand", "manually"),
          Map.entry("comes again", "is received again, is sent again"),
          Map.entry("gone", "deleted or absent"),
          Map.entry("look at", "check or read"),
          Map.entry("looked at", "checked or read"),
          Map.entry("looks at", "checks or reads"),
          Map.entry("look for", "search"),
          Map.entry("looks for", "searches"),
          Map.entry("looked for", "searched or read"),
          Map.entry("look into", "search or check"),
          Map.entry("looks into", "searches or checks"),
          Map.entry("looked into", "searched or checked"),
          Map.entry("Look", "check or read"),
          Map.entry("is over", "has ended"),
          Map.entry("are over", "have ended"),
          Map.entry("was over", "had ended"),
          Map.entry("were over", "had ended"),
          Map.entry("tell", "report, record, show or distinguish"),
          Map.entry("tells", "reports, records or shows"),
          Map.entry("told", "reported, recorded or shown"));

  /**
   * A phrase also matches across a line break, with the marks of a comment. A word also matches
   * within a name in camel case; a word with a capital matches only there.
   */
  private static final Map<String, Pattern> SPELLINGS =
      BETTER.keySet().stream().collect(Collectors.toMap(words -> words, PlainWordsTest::pattern));

  /** The glossary and this test name the words to avoid; one test calls a method of Pekko. */
  private static final List<Path> EXCEPTIONS =
      List.of(
          ROOT.resolve("docs/design/words.md"),
          ROOT.resolve("local/src/test/java/dev/carillon/local/PlainWordsTest.java"),
          ROOT.resolve("local/src/test/java/dev/carillon/local/MessagePersistenceTest.java"));

  /** The texts of others' licenses. */
  private static final Path LICENSES = ROOT.resolve("cli/src/main/licenses");

  @Test
  void textsUsePlainWords() throws IOException {
    List<Path> files = files();
    assertThat(files).hasSizeGreaterThan(300);
    assertThat(files.stream().flatMap(PlainWordsTest::findings)).isEmpty();
  }

  @Test
  void wordsAreFoundAcrossLinesAndInNamesAndOnlyWhole() {
    assertThat(
            findings(
                "x",
                "Whole\n// Who had read, by\n  // hand; noBody\n/* ANEW */ isGone(nextLook, Look)"))
        .containsExactly(
            "x:2: \"Who\"; " + ACTOR,
            "x:2: \"by hand\"; manually",
            "x:4: \"ANEW\"; again, another or new",
            "x:4: \"Gone\"; deleted or absent",
            "x:4: \"Look\"; check or read");
  }

  private static Pattern pattern(String words) {
    return Pattern.compile(
        spellings(words)
            .map(spelling -> spelling.replace(" ", "[\\s*/#]+"))
            .collect(Collectors.joining("|")));
  }

  private static Stream<String> spellings(String word) {
    String inName = "(?<=[a-z0-9])%s(?!Ahead)(?=[A-Z]|\\b)";
    if (Character.isUpperCase(word.charAt(0))) {
      return Stream.of(inName.formatted(word));
    }
    String capital = word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    return Stream.of(
        "\\b" + word + "(?=[A-Z]|\\b)",
        "(?:\\b|(?<=[a-z0-9]))" + capital + "(?=[A-Z]|\\b)",
        "\\b" + word.toUpperCase(Locale.ROOT) + "\\b");
  }

  private static List<Path> files() throws IOException {
    List<Path> roots =
        Stream.of(
                "functions/src",
                "local/src",
                "campaign/src",
                "bench/src",
                "client/src",
                "console/src",
                "client/README.md",
                "cli/src",
                "worker/src",
                "worker/README.md",
                "events",
                "examples",
                "infrastructure",
                "template.yaml",
                "samconfig.toml",
                "carillon",
                ".ci",
                "docs",
                "README.md",
                "CONTRIBUTING.md")
            .map(ROOT::resolve)
            .toList();
    assertThat(roots).allMatch(Files::exists);
    Stream<Path> all = Stream.empty();
    for (Path root : roots) {
      try (Stream<Path> below = Files.walk(root)) {
        all = Stream.concat(all, below.toList().stream());
      }
    }
    return all.filter(Files::isRegularFile)
        .filter(file -> !file.toString().endsWith(".png"))
        .filter(file -> !file.startsWith(LICENSES))
        .filter(file -> !Files.isSymbolicLink(file) && !EXCEPTIONS.contains(file))
        .sorted()
        .toList();
  }

  private static Stream<String> findings(Path file) {
    try {
      return findings(ROOT.relativize(file).toString(), Files.readString(file)).stream();
    } catch (IOException unreadable) {
      throw new AssertionError(file + " is not a text", unreadable);
    }
  }

  private static List<String> findings(String name, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return SPELLINGS.entrySet().stream()
        .filter(
            spelling ->
                Arrays.stream(spelling.getKey().split(" "))
                    .allMatch(word -> lower.contains(word.toLowerCase(Locale.ROOT))))
        .flatMap(spelling -> spelling.getValue().matcher(text).results())
        .sorted(Comparator.comparingInt(MatchResult::start))
        .map(found -> finding(name, text, found))
        .toList();
  }

  private static String finding(String name, String text, MatchResult found) {
    long line = 1 + text.chars().limit(found.start()).filter(each -> each == '\n').count();
    String word = found.group().replaceAll("[\\s*/#]+", " ");
    String better =
        BETTER.entrySet().stream()
            .filter(entry -> entry.getKey().equalsIgnoreCase(word))
            .map(Entry::getValue)
            .findAny()
            .orElseThrow();
    return "%s:%d: \"%s\"; %s".formatted(name, line, word, better);
  }
}
