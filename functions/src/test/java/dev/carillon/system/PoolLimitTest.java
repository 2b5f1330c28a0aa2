package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A customer of a pool has as many jobs in flight as its limit allows, whatever functions do. */
class PoolLimitTest {

  private static final String LIMITED =
      "{\"queue\": \"encoding\", \"depth\": 1, \"maxInFlight\": {\"default\": 1}}";

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);

  private List<PoolRow> flights() {
    return world
        .gates
        .pools()
        .rows(Pooled.ENCODE, PoolRow.FLIGHT, PoolRow.after(PoolRow.FLIGHT), 100);
  }

  /** An invocation that stalls stores the row of its choice after the job has ended. */
  private void storeRowOfEnded(JobState state) {
    Job ended = pooled.in(state).get(0);
    world.gates.pools().put(List.of(PoolQueue.inFlight(ended)));
  }

  @Test
  void aRowThatIsStoredAfterItsJobHasEndedDoesNotCountForLong() {
    pooled.pool(LIMITED);
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    pooled.succeed(pooled.claim());
    storeRowOfEnded(JobState.SUCCEEDED);
    pooled.arrive("a", 2);
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.moved()).containsExactly("a");
    assertThat(flights()).hasSize(1);
    pooled.succeed(pooled.claim());
    assertThat(pooled.moved()).containsExactly("a");
  }

  @Test
  void aRowThatIsStoredAfterItsJobWasCancelledDoesNotCountForLong() {
    pooled.pool("{\"paused\": true, \"maxInFlight\": {\"default\": 1}}");
    pooled.schedule("a", ", \"timeout\": {\"after\": \"PT2M\", \"action\": \"discard\"}");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(3));
    storeRowOfEnded(JobState.TIMED_OUT);
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(90));
    assertThat(flights()).isEmpty();
  }

  @Test
  void theRowsOfJobsThatWaitOrRunAreKept() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 2, \"maxInFlight\": {\"default\": 2}}");
    pooled.schedule("a", "");
    pooled.arrive("a", 3);
    world.runFor(Duration.ofSeconds(2));
    pooled.claim();
    world.runFor(Duration.ofSeconds(10));
    assertThat(flights()).hasSize(2);
    world.runFor(Duration.ofSeconds(50));
    assertThat(flights()).hasSize(2);
    assertThat(pooled.in(JobState.READY)).hasSize(1);
  }

  /** The pass begins before the next attempt is due, and decides on the job after that. */
  @Test
  void anAttemptThatBecomesDueDuringAPassDoesNotCountBesideTheFormerOne() {
    pooled.pool(LIMITED);
    pooled.schedule(
        "a",
        ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}],"
            + " \"retry\": {\"backoff\": \"PT5S\"}");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    pooled.fail(pooled.claim());
    Job failed = Objects.requireNonNull(pooled.only("a"));
    Instant due = Objects.requireNonNull(failed.notBefore());
    world.setClock(due.minusMillis(15).toString());
    world.takePerCall(Duration.ofMillis(10));
    world.checking(List.of(failed.runId())).run();
    world.takePerCall(Duration.ZERO);
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    assertThat(flights()).isEmpty();
    world.runFor(Duration.ofSeconds(5));
    assertThat(pooled.moved()).containsExactly("a");
  }
}
