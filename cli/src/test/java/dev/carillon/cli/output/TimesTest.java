package dev.carillon.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.TimeZone;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "UTC,              2026-03-29T00:59:59.999Z, 2026-03-29 00:59:59 +00:00",
    "Europe/Berlin,    2026-03-29T00:59:59.999Z, 2026-03-29 01:59:59 +01:00",
    "Europe/Berlin,    2026-03-29T01:00:00Z,     2026-03-29 03:00:00 +02:00",
    "America/New_York, 2045-07-01T00:00:00Z,     2045-06-30 20:00:00 -04:00",
    "Asia/Kathmandu,   2026-01-01T00:00:00Z,     2026-01-01 05:45:00 +05:45"
  })
  void anInstantIsShownInTheZone(String zone, Instant instant, String exact) {
    Times times = new Times(() -> TimeZone.getTimeZone(zone), NOW);
    assertThat(times.exact(instant)).isEqualTo(exact);
    assertThat(times.text(instant)).startsWith(exact.substring(0, 19) + " (in ");
    assertThat(times.zone()).isEqualTo(ZoneId.of(zone));
  }
}
