package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

  @ParameterizedTest
  @CsvSource({
    "1, PT0.1S, PT0.2S",
    "2, PT0.2S, PT0.4S",
    "3, PT0.4S, PT0.8S",
    "6, PT3.2S, PT6.4S",
    "7, PT5S, PT10S",
    "1000000, PT5S, PT10S"
  })
  void aPauseIsDrawnFromTheUpperHalfOfItsBound(int failures, Duration least, Duration most) {
    assertThat(drawing(0).pause(failures)).isEqualTo(least);
    assertThat(drawing(1).pause(failures)).isEqualTo(most);
  }

  private static Backoff drawing(double random) {
    return new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), () -> random);
  }
}
