package dev.carillon.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The page of the designs that Carillon follows names a test, or a reason, for each requirement.
 */
class SeedsTest {

  private static final Document PAGE = Document.of("docs/seeds.md");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|Contract))\\.(\\w+)`");
  private static final String NO_TEST = "–";

  private static Stream<List<String>> rows(String design) {
    return PAGE.rows(design).stream().filter(row -> !row.get(0).equals("requirement"));
  }

  private static List<MatchResult> testsOf(List<String> row) {
    return TEST.matcher(row.get(2)).results().toList();
  }

  @ParameterizedTest
  @CsvSource({"CDAP, 90", "Bridge, 20", "ATF, 30", "POP, 30"})
  void eachRequirementHasATestOrAReason(String design, int atLeast) {
    assertThat(rows(design)).hasSizeGreaterThanOrEqualTo(atLeast);
    assertThat(rows(design))
        .allSatisfy(
            row -> {
              assertThat(row).hasSize(3).doesNotContain("");
              if (row.get(2).equals(NO_TEST)) {
                assertThat(row.get(1)).contains("**Not there:**");
              } else {
                assertThat(testsOf(row)).isNotEmpty();
              }
            });
  }

  @Test
  void eachTestExists() throws IOException {
    TestMethods tests = new TestMethods();
    String page = String.join("\n", PAGE.lines());
    assertThat(TEST.matcher(page).results()).hasSizeGreaterThan(150);
    assertThat(TEST.matcher(page).results())
        .allSatisfy(
            test -> assertThat(tests.has(test.group(1), test.group(2))).as(test.group()).isTrue());
  }

  @Test
  void aMethodThatIsNoTestIsNotTakenForOne() throws IOException {
    TestMethods tests = new TestMethods();
    assertThat(tests.has("SeedsTest", "eachTestExists")).isTrue();
    assertThat(tests.has("SeedsTest", "testsOf")).isFalse();
    assertThat(tests.has("CodeMapTest", "assertExists")).isFalse();
  }
}
