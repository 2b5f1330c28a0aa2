package dev.carillon.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What readers rely on: short paragraphs, links that lead somewhere, a README of one screen. */
class DocumentsTest {

  private static final int LONGEST_PARAGRAPH = 500;
  private static final int LONGEST_README = 150;

  /** The page of costs, the comparison with other schedulers, and a decision between two prices. */
  private static final List<String> PRICES = List.of("costs.md", "benchmarks.md", "decisions.md");

  static List<Document> documents() throws IOException {
    return Document.all();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void eachLinkResolves(Document document) {
    assertThat(document.links().stream().flatMap(link -> fault(document, link).stream())).isEmpty();
  }

  private static Optional<String> fault(Document from, String link) {
    if (link.startsWith("https://") || link.startsWith("http://")) {
      return Optional.empty();
    }
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    Path target = path.isEmpty() ? from.file() : from.file().resolveSibling(path).normalize();
    if (!Files.exists(target)) {
      return Optional.of(link + ": no such file");
    }
    boolean isFound =
        hash < 0 || Document.read(target).anchors().contains(link.substring(hash + 1));
    return isFound ? Optional.empty() : Optional.of(link + ": no such heading");
  }

  @ParameterizedTest
  @MethodSource("documents")
  void noParagraphListItemOrCellIsLong(Document document) {
    assertThat(document.paragraphs())
        .filteredOn(paragraph -> paragraph.strip().length() > LONGEST_PARAGRAPH)
        .isEmpty();
  }

  /** Maven stops at the first module that has none of the tests, unless the option is given. */
  @ParameterizedTest
  @MethodSource("documents")
  void eachCommandForATestRunsInModulesWithoutIt(Document document) {
    String option = "-Dsurefire.failIfNoSpecifiedTests=false";
    boolean isNamed = document.lines().stream().anyMatch(line -> line.startsWith("one='"));
    assertThat(document.lines())
        .filteredOn(line -> line.contains("-Dtest="))
        .allMatch(line -> line.contains(option) || (isNamed && line.contains("$one")));
    assertThat(document.lines())
        .filteredOn(line -> line.startsWith("one='"))
        .allMatch(line -> line.contains(option));
  }

  @Test
  void pricesAreOnThePageOfCosts() throws IOException {
    for (Document page : documents()) {
      String name = page.file().getFileName().toString();
      if (!PRICES.contains(name)) {
        assertThat(page.lines()).as(name).noneMatch(line -> line.matches(".*\\$\\d.*"));
      }
    }
  }

  /** The design has units only where they decide between designs. */
  @Test
  void guidesAndTheOtherPagesForOperatorsLinkToTheUnits() throws IOException {
    List<Path> folders = List.of(Path.of("guide"), Path.of("operate"));
    for (Document page : documents()) {
      String name = page.file().getFileName().toString();
      boolean isConcerned =
          folders.contains(page.file().getParent().getFileName())
              && !PRICES.contains(name)
              && !name.equals("limits.md");
      if (isConcerned) {
        assertThat(page.lines())
            .as(name)
            .noneMatch(line -> line.matches(".*\\d (write|read) units?.*"));
      }
    }
  }

  @Test
  void theReadmeIsShort() {
    assertThat(Document.of("README.md").lines()).hasSizeLessThanOrEqualTo(LONGEST_README);
  }
}
