package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.BackfillId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.JobState;
import dev.carillon.system.Faults.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Backfills whose jobs wait in a pool. */
class PoolBackfillTest {

  private static final String BEGIN = "2026-02-01T00:00:00Z";

  private static ScheduleId daily(World world) {
    return world.put(
        "a",
        """
        {"trigger": {"type": "cron", "expression": "0 0 3 * * ?"}, "state": "ACTIVE",
         "pool": "encode", "target": {"template": {"of": "a"}},
         "constraints": [{"type": "concurrency", "max": 5}]}
        """);
  }

  @ParameterizedTest
  @EnumSource(names = {"KILL_AFTER", "FAIL_BEFORE"})
  void aJobIsMovedAfterAnyCrash(Kind kind) {
    Pooled.afterEachCrash(
        kind,
        PoolBackfillTest::moved,
        (pooled, where) -> assertThat(pooled.in(JobState.ENQUEUED)).as(where).hasSize(1));
  }

  private static Pooled moved(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    Pooled pooled = new Pooled(world);
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 5}");
    ScheduleId daily = daily(world);
    world.faults.choose(call, kind);
    world.backfill(daily, BEGIN, "2026-02-02T00:00:00Z", 1);
    world.runFor(Duration.ofMinutes(10));
    return pooled;
  }

  @Test
  void aCancellationCancelsTheJobsThatWaitInThePool() {
    World world = new World("2026-03-01T10:00:30Z");
    Pooled pooled = new Pooled(world);
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    BackfillId backfill = world.backfill(daily(world), BEGIN, "2026-02-20T00:00:00Z", 2);
    world.runFor(Duration.ofSeconds(5));
    assertThat(pooled.in(JobState.READY)).hasSize(2);
    world.cancel(backfill);
    world.runFor(Duration.ofMinutes(3));
    assertThat(world.backfill(backfill).hasEnded()).isTrue();
    assertThat(pooled.in(JobState.CANCELLED)).hasSize(2);
    assertThat(pooled.in(JobState.READY)).isEmpty();
  }
}
