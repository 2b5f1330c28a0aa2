package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of results lists each mutation by its name in the code. */
class MutationTableTest {

  private static final Path RESULTS = Path.of("../docs/reliability/results.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+?) \\| [\\d,]+ \\| [a-z ]+ \\|$");

  @Test
  void thePageListsEachMutation() throws IOException {
    String page = Files.readString(RESULTS);
    String table = page.substring(page.indexOf("## Mutations")).replace("`", "");
    List<String> listed = ROW.matcher(table).results().map(MutationTableTest::name).toList();
    assertThat(listed)
        .containsExactlyElementsOf(
            Stream.concat(
                    Arrays.stream(Mutation.values()).map(mutation -> mutation.what),
                    Arrays.stream(NeighbourMutation.values()).map(mutation -> mutation.what))
                .toList());
  }

  private static String name(MatchResult row) {
    return row.group(1);
  }
}
