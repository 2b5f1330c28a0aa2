package dev.carillon.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatenciesTest {

  private final Latencies oneToAHundred = new Latencies(LongStream.rangeClosed(1, 100).toArray());

  @ParameterizedTest
  @CsvSource({"50, 0.050", "95, 0.095", "99, 0.099", "99.1, 0.100", "100, 0.100", "0.5, 0.001"})
  void aPercentileIsThatOfTheNearestRankInSeconds(double percent, double seconds) {
    assertThat(oneToAHundred.percentile(percent)).isEqualTo(seconds);
  }

  @Test
  void ofOneThingEveryPercentileIsItself() {
    Latencies one = new Latencies(new long[] {1_500});
    assertThat(one.percentile(1)).isEqualTo(1.5);
    assertThat(one.percentile(99)).isEqualTo(1.5);
    assertThat(one.max()).isEqualTo(1.5);
  }

  @Test
  void theOrderOfMeasuringDoesNotMatter() {
    Latencies shuffled = new Latencies(new long[] {300, 100, 200});
    assertThat(shuffled.percentile(50)).isEqualTo(0.2);
    assertThat(shuffled.max()).isEqualTo(0.3);
  }

  @Test
  void theRateIsCountedFromTheInstantToTheLast() {
    assertThat(new Latencies(new long[] {500, 1_000, 2_000}).perSecond()).isEqualTo(1.5);
  }

  @Test
  void aContestantThatBeginsEarlyIsCountedFromItsFirstLaunch() {
    Latencies early = new Latencies(new long[] {-1_000, -500, 500, 1_000});
    assertThat(early.early()).isEqualTo(2);
    assertThat(early.perSecond()).isEqualTo(2);
  }
}
