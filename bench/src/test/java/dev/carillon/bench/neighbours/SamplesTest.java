package dev.carillon.bench.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplesTest {

  /** In seconds. */
  @ParameterizedTest
  @CsvSource({
    "0.020, 0.069, false",
    "0.020, 0.071, true",
    "0.200, 0.400, false",
    "0.200, 0.401, true",
    "0, 0.040, false"
  })
  void aNamespaceIsLateByMoreThanTwiceItsLatenessAloneAndMoreThanNoise(
      double alone, double beside, boolean isLate) {
    assertThat(Samples.isLate(alone, beside)).isEqualTo(isLate);
  }
}
