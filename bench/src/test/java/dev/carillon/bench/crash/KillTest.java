package dev.carillon.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.bench.harness.Progress;
import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code -Dkill.seed=N} repeats the moments of an earlier run. */
@Tag("proof")
@Timeout(600)
class KillTest {

  private static final int KILLS = 6;
  private static final File LOG = new File("target/kill-test-engine.log");

  private final long seed = Long.getLong("kill.seed", System.nanoTime() & 0xFFFF_FFFFL);

  @TempDir Path data;

  @Test
  void killsLoseNothingAndRepeatOnlyRequestsInFlight() throws Exception {
    try (CrashRun run = new CrashRun(data, LOG, seed)) {
      Report report =
          run.run(KILLS, new Progress(new PrintWriter(System.out, true, StandardCharsets.UTF_8)));
      System.out.println(report);
      assertThat(report.verdict().faults()).as("seed %d, log %s", seed, LOG).isEmpty();
      assertThat(report.verdict().lost()).isZero();
      assertThat(report.verdict().doubled()).isZero();
    }
  }
}
