package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.JobState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.pool.PoolRow.Served;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nothing is read of a pool in which no job waits. */
class PoolRestTest {

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);

  /** The calls to pools and to their queues in ten minutes. */
  private List<String> callsOfTenMinutes() {
    int before = world.faults.calls().size();
    world.runFor(Duration.ofMinutes(10));
    List<String> calls = world.faults.calls();
    return calls.subList(before, calls.size()).stream()
        .filter(call -> call.startsWith("Pools.") || call.startsWith("TargetQueues."))
        .toList();
  }

  @Test
  void aFullQueueWithNothingReadyRests() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 2}");
    pooled.schedule("a", "");
    pooled.arrive("a", 2);
    world.runFor(Duration.ofMinutes(3));
    assertThat(pooled.moved()).hasSize(2);
    assertThat(callsOfTenMinutes()).isEmpty();

    pooled.claim();
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.moved()).hasSize(1);
  }

  @Test
  void aPoolThatIsFullAgainAfterACountThatWasLostIsFilled() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1}");
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(3));
    world.faults.failAll("Pools.claimed");
    LaunchRequest request = pooled.claim();
    world.faults.heal();
    pooled.succeed(request);
    assertThat(callsOfTenMinutes()).isEmpty();
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.moved()).hasSize(1);
  }

  @Test
  void anEmptyPoolThatIsPausedOrPulledRests() {
    pooled.pool("{\"paused\": true}");
    pooled.schedule("a", ", \"timeout\": {\"after\": \"PT2M\", \"action\": \"discard\"}");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(4));
    assertThat(pooled.in(JobState.TIMED_OUT)).hasSize(1);
    assertThat(callsOfTenMinutes()).isEmpty();
  }

  /** Their turns are kept, and would be passed over a hundred at a time. */
  @Test
  void aPoolThatServedManyCustomersRests() {
    pooled.pool("{\"queue\": \"encoding\"}");
    pooled.schedule("a", "");
    world
        .gates
        .pools()
        .put(
            IntStream.range(0, 5_000)
                .mapToObj(number -> new Served(Pooled.ENCODE, 5, "c" + number, 1))
                .toList());
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.moved()).containsExactly("a");
    assertThat(callsOfTenMinutes()).isEmpty();
  }

  @Test
  void aPoolWhoseCustomersAreAllAtTheirLimitsIsStillExamined() {
    pooled.pool("{\"queue\": \"encoding\", \"maxInFlight\": {\"default\": 1}}");
    pooled.schedule("a", "");
    pooled.arrive("a", 2);
    world.runFor(Duration.ofSeconds(2));
    List<String> calls = callsOfTenMinutes();
    assertThat(calls.stream().filter("Pools.count"::equals)).hasSizeBetween(9, 10);
    assertThat(calls).doesNotContain("Pools.update", "TargetQueues.send");
  }
}
