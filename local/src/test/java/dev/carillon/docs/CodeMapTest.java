package dev.carillon.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code map of the overview names folders, classes, methods and tests that exist. */
class CodeMapTest {

  private static final Path MAIN = Document.ROOT.resolve("functions/src/main/java/dev/carillon");
  private static final Pattern CLASS =
      Pattern.compile("`(?:([a-z]+)/)?([A-Z]\\w+)(?:\\.([a-z]\\w+))?`");
  private static final Pattern TEST = Pattern.compile("`(?:[a-z]+/)?([A-Z]\\w*(?:Test|Contract))`");

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
}
