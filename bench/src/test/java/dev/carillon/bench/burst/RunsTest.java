package dev.carillon.bench.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.bench.burst.BurstCommand.BurstLine;
import dev.carillon.bench.harness.CannotRun;
import org.junit.jupiter.api.Test;

class RunsTest {

  private static final int DUE = 3;

  private final Runs runs = Runs.of(DUE);

  @Test
  void aWholeBurstHasPercentiles() {
    ran(DUE);
    BurstLine line = BurstLine.of("peer", 1, DUE, runs.latencies(), null, null);
    assertThat(line.launched()).isEqualTo(DUE);
    assertThat(line.p50()).isNotNull();
    assertThat(line.p99()).isNotNull();
  }

  @Test
  void anAbandonedBurstReportsItsRunsAndNoPercentiles() {
    ran(DUE - 1);
    BurstLine line = BurstLine.of("peer", 1, DUE, runs.latencies(), null, null);
    assertThat(line.due()).isEqualTo(DUE);
    assertThat(line.launched()).isEqualTo(DUE - 1);
    assertThat(line.p50()).isNull();
    assertThat(line.p99()).isNull();
  }

  @Test
  void aBurstInWhichNothingRanIsNoResult() {
    assertThatThrownBy(runs::latencies)
        .isInstanceOf(CannotRun.class)
        .hasMessage("no work ran within 180 s");
  }

  @Test
  void workThatRanTwiceIsNoResult() {
    ran(DUE + 1);
    assertThatThrownBy(runs::latencies).hasMessage("4 runs instead of 3");
  }

  private void ran(int times) {
    for (int time = 0; time < times; time++) {
      runs.ran();
    }
  }
}
