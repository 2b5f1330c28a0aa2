package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Each call takes 10 ms. Another function acts once, right after the first such call. */
  private void meanwhile(String call, Runnable step) {
    AtomicBoolean isDone = new AtomicBoolean();
    world.faults.around(
        () -> {},
        () -> {
          world.pause(Duration.ofMillis(10));
          List<String> calls = world.faults.calls();
          if (calls.get(calls.size() - 1).equals(call) && isDone.compareAndSet(false, true)) {
            step.run();
          }
        });
  }

  /** The checks of the next two seconds arrive; the master does not run. */
  private void check() {
    world.faults.around(() -> {}, () -> {});
    world.pause(Duration.ofSeconds(2));
    world.handleChecks();
  }

  /** The choice that the end of the former attempt plans runs before the next one has entered. */
  @Test
  void anAttemptThatEntersAfterTheChoiceForItsFormerOneHasAChoiceOfItsOwn() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 5, \"maxInFlight\": {\"default\": 1}}");
    pooled.schedule("a", ", \"retry\": {\"backoff\": \"PT5S\"}");
    pooled.schedule("b", "");
    pooled.arrive("a", 1);
    pooled.arrive("b", 2); // the second one waits and keeps the pool awake
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.moved()).containsExactly("a", "b");
    pooled.fail(pooled.claim());
    Job failed = Objects.requireNonNull(pooled.only("a"));
    world.pause(Duration.between(world.now(), Objects.requireNonNull(failed.notBefore())));
    meanwhile("CheckQueue.send", world::handleChecks);
    world.handleChecks();
    check();
    assertThat(pooled.moved()).containsExactly("a");
  }

  /** A choice runs while the pass removes the row that kept the customer at its limit. */
  @Test
  void aPoolChoosesAgainAfterAnOutdatedRowWasRemoved() {
    pooled.pool(LIMITED);
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    pooled.succeed(pooled.claim());
    pooled.arrive("a", 2);
    world.runFor(Duration.ofSeconds(2));
    LaunchRequest second = pooled.claim();
    storeRowOfEnded(JobState.SUCCEEDED);
    pooled.succeed(second);
    assertThat(pooled.moved()).isEmpty();
    meanwhile(
        "Pools.examine",
        () -> {
          world.pools().choose(Pooled.ENCODE);
          world.handleChecks();
        });
    world.runUntil("2026-03-01T10:01:30Z");
    check();
    assertThat(pooled.moved()).containsExactly("a");
  }
}
