package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseTest {

  /** Near its end, so that the clock overflows within each lease. */
  private static final long SENT_AT = Long.MAX_VALUE - 1;

  @ParameterizedTest
  @CsvSource({
    "PT60S, PT12S",
    "PT1S, PT0.2S",
    "PT0.5S, PT0.1S",
    "PT0.4S, PT0.1S",
    "PT0S, PT0.1S",
    "PT-9S, PT0.1S"
  })
  void aHeartbeatIsSentEveryFifthOfTheLifetime(Duration lifetime, Duration interval) {
    assertThat(new Lease(SENT_AT, lifetime).interval()).isEqualTo(interval);
  }

  @ParameterizedTest
  @CsvSource({
    "PT60S, PT0S, PT48S, false",
    "PT60S, PT47.999999999S, PT0.000000001S, false",
    "PT60S, PT48S, PT0S, true",
    "PT60S, PT50S, PT-2S, true",
    "PT0S, PT0S, PT0S, true",
    "PT-1S, PT0S, PT-0.8S, true",
  })
  void theAttemptStopsAtFourFifthsOfIt(
      Duration lifetime, Duration passed, Duration left, boolean mustStop) {
    Lease lease = new Lease(SENT_AT, lifetime);
    long now = SENT_AT + passed.toNanos();
    assertThat(lease.left(now)).isEqualTo(left);
    assertThat(lease.mustStop(now)).isEqualTo(mustStop);
  }

  @ParameterizedTest
  @CsvSource({
    "PT60S, PT0S, true",
    "PT60S, PT11.999999999S, true",
    "PT60S, PT12S, false",
    "PT0.1S, PT0.1S, false"
  })
  void itIsFreshUntilAHeartbeatIsDue(Duration lifetime, Duration passed, boolean isFresh) {
    assertThat(new Lease(SENT_AT, lifetime).isFresh(SENT_AT + passed.toNanos())).isEqualTo(isFresh);
  }
}
