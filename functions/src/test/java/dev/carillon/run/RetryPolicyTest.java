package dev.carillon.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {

  @ParameterizedTest
  @CsvSource({
    "PT10S, 2,   PT1H, 1,  1.0, PT10S",
    "PT10S, 2,   PT1H, 2,  1.0, PT20S",
    "PT10S, 2,   PT1H, 5,  1.0, PT160S",
    "PT10S, 2,   PT1H, 20, 1.0, PT1H",
    "PT10S, 2,   PT1H, 99, 1.0, PT1H",
    "PT10S, 1,   PT1H, 99, 1.0, PT10S",
    "PT10S, 1.5, PT1H, 3,  1.0, PT22.5S",
    "PT10S, 2,   PT1H, 3,  0.5, PT20S",
    "PT10S, 2,   PT1H, 3,  0.0, PT0S",
    "PT0S,  2,   PT1H, 3,  1.0, PT0S"
  })
  void theDelayGrowsUpToItsLimitAndIsPartOfTheLongest(
      Duration backoff, double rate, Duration most, int attempt, double part, Duration delay) {
    assertThat(new RetryPolicy(100, backoff, rate, most).delayAfter(attempt, part))
        .isEqualTo(delay);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, false", "3, 1, true", "3, 2, true", "3, 3, false", "3, 4, false"})
  void attemptsAreLimited(int most, int attempt, boolean isAllowed) {
    RetryPolicy policy = new RetryPolicy(most, Duration.ZERO, 1, Duration.ZERO);
    assertThat(policy.allowsAfter(attempt)).isEqualTo(isAllowed);
  }
}
