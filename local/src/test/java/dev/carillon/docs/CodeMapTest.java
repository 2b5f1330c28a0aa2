package dev.carillon.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code map and the pages of the design name folders, classes, methods and tests that exist. */
class CodeMapTest {

  private static final Path MAIN = Document.ROOT.resolve("functions/src/main/java/dev/carillon");
  private static final Pattern CLASS =
      Pattern.compile("`(?:([a-z]+)/)?([A-Z]\\w+)(?:\\.([a-z]\\w+))?`");
  private static final Pattern TEST = Pattern.compile("`(?:[a-z]+/)?([A-Z]\\w*(?:Test|Contract))`");

  private static final Pattern METHOD =
      Pattern.compile("`(?:[a-z]+/)?([A-Z]\\w+)\\.([a-z]\\w+)(?:\\(\\))?`");

  private static final Pattern CONSTANT = Pattern.compile("`([A-Z]+(?:_[A-Z]+)+)`");
  private static final Pattern WORD = Pattern.compile("\\b([A-Z]+(?:_[A-Z]+)+)\\b");
  private static final Path MUTATIONS =
      Document.ROOT.resolve("campaign/src/test/java/dev/carillon/campaign/Mutation.java");

  private static final Path DESIGN = Document.ROOT.resolve("docs/design");
  private static final Path METHOD_PAGE = Document.ROOT.resolve("docs/reliability/method.md");
  private static final Document OVERVIEW = Document.of("docs/design/overview.md");
  private static final List<List<String>> ROWS = OVERVIEW.rows("Code map");

  @Test
  void itHasTheBehavioursThatAReaderLooksFor() {
    assertThat(ROWS).hasSizeGreaterThanOrEqualTo(40);
    assertThat(ROWS).allSatisfy(row -> assertThat(row).hasSize(4).doesNotContain(""));
  }

  @Test
  void eachFolderClassAndMethodExists() throws IOException {
    for (List<String> row : ROWS) {
      String folder = row.get(1).replace("`", "");
      assertThat(MAIN.resolve(folder)).isDirectory();
      List<MatchResult> classes = CLASS.matcher(row.get(2)).results().toList();
      assertThat(classes).as(row.get(0)).isNotEmpty();
      for (MatchResult each : classes) {
        assertExists(each, folder);
      }
    }
  }

  private static void assertExists(MatchResult named, String folder) throws IOException {
    String in = named.group(1) == null ? folder : named.group(1);
    Path file = MAIN.resolve(in).resolve(named.group(2) + ".java");
    assertThat(file).isRegularFile();
    if (named.group(3) != null) {
      assertThat(Files.readString(file)).contains(" " + named.group(3) + "(");
    }
  }

  @Test
  void eachStepOfAWalkExists() throws IOException {
    List<List<String>> steps =
        OVERVIEW.rows("Three walks").stream().filter(row -> !row.get(0).equals("step")).toList();
    assertThat(steps).hasSizeGreaterThan(20);
    for (List<String> step : steps) {
      Matcher named = CLASS.matcher(step.get(1));
      assertThat(named.matches()).as(step.get(1)).isTrue();
      assertThat(named.group(1)).as("folder of " + step.get(1)).isNotNull();
      assertExists(named.toMatchResult(), "");
    }
  }

  @Test
  void eachTestExists() throws IOException {
    TestMethods tests = new TestMethods();
    for (List<String> row : ROWS) {
      assertThat(TEST.matcher(row.get(3)).results()).as(row.get(0)).isNotEmpty();
    }
    for (Document document : Document.all()) {
      String text = String.join("\n", document.lines());
      assertThat(TEST.matcher(text).results().map(test -> test.group(1)))
          .as(document.file().toString())
          .allMatch(tests::hasClass);
    }
  }

  /**
   * {@code Class.method} in the pages for contributors and reviewers, of main classes and tests.
   */
  @Test
  void eachMethodThatAPageNamesExists() throws IOException {
    TestMethods tests = new TestMethods();
    List<String> sources = mainSources();
    List<String> unknown = new ArrayList<>();
    int named = 0;
    for (Document page : designPages()) {
      for (MatchResult each : METHOD.matcher(String.join("\n", page.prose())).results().toList()) {
        named++;
        boolean isKnown =
            tests.hasClass(each.group(1))
                ? tests.has(each.group(1), each.group(2))
                : sources.stream().anyMatch(text -> declares(text, each.group(1), each.group(2)));
        if (!isKnown) {
          unknown.add(page.file().getFileName() + ": " + each.group());
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(named).isGreaterThan(60);
  }

  /** States, variables and reasons, and the mutations of the campaign. */
  @Test
  void eachConstantThatAPageNamesExists() throws IOException {
    Set<String> constants = new HashSet<>();
    mainSources().forEach(source -> constants.addAll(named(WORD, source)));
    constants.addAll(named(WORD, Files.readString(MUTATIONS)));
    List<String> unknown = new ArrayList<>();
    for (Document page : designPages()) {
      named(CONSTANT, String.join("\n", page.lines())).stream()
          .filter(name -> !constants.contains(name))
          .forEach(name -> unknown.add(page.file().getFileName() + ": " + name));
    }
    assertThat(unknown).isEmpty();
  }

  private static List<String> named(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(each -> each.group(1)).toList();
  }

  private static boolean declares(String source, String type, String method) {
    // The search for the plain names first takes a tenth of the time.
    return source.contains(type)
        && source.contains(method)
        && Pattern.compile("\\b(?:class|record|interface|enum) " + type + "\\b")
            .matcher(source)
            .find()
        && Pattern.compile("\\b" + method + "[(,)]").matcher(source).find();
  }

  private static List<Document> designPages() throws IOException {
    return Document.all().stream()
        .filter(page -> page.file().startsWith(DESIGN) || page.file().equals(METHOD_PAGE))
        .toList();
  }

  private static List<String> mainSources() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> String.join("\n", Document.read(file).lines()))
          .toList();
    }
  }
}
