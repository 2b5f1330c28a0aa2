package dev.carillon.id;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.InstantRange;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobIdTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123Z");

  @ParameterizedTest
  @CsvSource({
    "1, e1",
    "60466175, ezzzzz",
    "60466176, e0",
    "60466177, e1",
    "9223372036854775807, e2e8e7"
  })
  void anyNumberOfJobsHaveIdsThatCanBeRead(long sequence, String suffix) {
    JobId id = JobId.ofEvents(REPORT, 7, NOW, sequence);

    assertThat(JobId.parse(id.toString())).isEqualTo(id);
    assertThat(id.suffix()).isEqualTo(suffix);
  }

  /** Instants that follow from given ones can be somewhat later. */
  @Test
  void theIdOfAFireHoldsEveryInstantOfADocumentAndOneHundredYearsMore() {
    JobId last = JobId.ofFire(REPORT, 1, InstantRange.END_OF_TIME.plus(Duration.ofDays(36_525)));
    assertThat(JobId.parse(last.toString())).isEqualTo(last);
  }
}
