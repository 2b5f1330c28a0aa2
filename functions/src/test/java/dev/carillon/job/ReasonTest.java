package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReasonTest {

  private static final Instant FIRST = Instant.parse("2026-03-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "1, catchUp x skipped 1 missed fire from 2026-03-01T12:00:00Z to 2026-03-01T12:00:05Z",
    "2, catchUp x skipped 2 missed fires from 2026-03-01T12:00:00Z to 2026-03-01T12:00:05Z"
  })
  void itsTextIsDerivedFromItsArguments(long count, String text) {
    Instant last = FIRST.plusSeconds(5);
    assertThat(Reason.of(ReasonCode.MISSED_FIRES, count, FIRST, last, "x").text()).isEqualTo(text);
  }

  @Test
  void aCancellationSaysWhetherTheRequestMayHaveBeenSent() {
    assertThat(Reason.of(ReasonCode.SCHEDULE_CHANGED).text()).isEqualTo("the schedule was changed");
    assertThat(Reason.of(ReasonCode.SCHEDULE_CHANGED, Reason.INTERRUPTED).text())
        .isEqualTo(
            "the schedule was changed after its launch was interrupted;"
                + " the request may have been sent");
  }

  @Test
  void aLongTextIsCut() {
    Reason reason =
        Reason.of(ReasonCode.CONSTRAINTS_TIMED_OUT, Duration.ofHours(1), "x".repeat(5_000));

    assertThat(reason.text())
        .hasSize(300)
        .startsWith("its constraints did not hold within PT1H: xx")
        .endsWith("x…");
    assertThat(reason.arguments()).allMatch(argument -> argument.length() <= 300);
  }

  /** The list stands once: a new code changes no description, and so no rendered page. */
  @Test
  void theApiListsEachCodeOnce() throws IOException {
    String document = Files.readString(Path.of("src/main/resources/dev/carillon/api/openapi.yaml"));
    Matcher list = Pattern.compile("\nx-reason-codes:\\s+\\[([^\\]]*)]").matcher(document);
    assertThat(list.find()).isTrue();
    assertThat(list.group(1).strip().split(",\\s+"))
        .containsExactlyInAnyOrder(
            Arrays.stream(ReasonCode.values()).map(ReasonCode::name).toArray(String[]::new));
  }
}
