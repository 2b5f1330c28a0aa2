package dev.carillon.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryTest {

  private final Recovery recovery =
      new Recovery(List.of(new Kill(at(100), at(103)), new Kill(at(110), at(115))));

  @Test
  void aLaunchThatNoKillDelayedNeedsNone() {
    assertThat(recovery.millis(at(105), at(106))).isZero();
    assertThat(recovery.millis(at(98), at(99))).isZero();
  }

  @Test
  void workThatFellDueWithoutAnEngineCountsFromTheNextReadyEngine() {
    assertThat(recovery.millis(at(101), at(105))).isEqualTo(2_000);
  }

  @Test
  void workThatAKillInterruptedCountsFromTheNextReadyEngine() {
    assertThat(recovery.millis(at(90), at(104))).isEqualTo(1_000);
  }

  @Test
  void theTimeGoesOnAcrossAFurtherKillButNotWhileNothingRuns() {
    assertThat(recovery.millis(at(102), at(118))).isEqualTo(7_000 + 3_000);
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }
}
