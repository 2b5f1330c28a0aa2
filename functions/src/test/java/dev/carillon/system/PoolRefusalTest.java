package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.checker.PoolPulls.Pull;
import dev.carillon.checker.PoolPulls.Pulled;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.run.Report;
import dev.carillon.runtime.Deadline;
import dev.carillon.system.Faults.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose moves into the queue of their pool are refused. */
class PoolRefusalTest {

  private static final String QUEUE = "arn:aws:sqs:us-east-1:000000000000:encoding";
  private static final String FILLED = "{\"queue\": \"encoding\", \"depth\": 50}";
  private static final String PULLED = "{}";

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);
  private int requests;

  private List<Pulled> pull(int count) {
    Pull pull = new Pull(Pooled.ENCODE, count, "w", "request-" + ++requests, true);
    return world.pulls().next(pull, new Deadline(Instant.MAX, world::now)).orElseThrow();
  }

  private static List<String> customers(List<Pulled> pulled) {
    return pulled.stream().map(one -> one.job().id().schedule().name()).toList();
  }

  private void refuse(int jobs, Duration time, String more) {
    pooled.pool(FILLED);
    pooled.schedule("a", more);
    world.targets.lose(QUEUE);
    pooled.arrive("a", jobs);
    world.runFor(time);
    assertThat(pooled.in(JobState.READY)).hasSize(jobs);
  }

  @ParameterizedTest
  @CsvSource({"PT80S", "PT12M"})
  void aRefusalDelaysNoPull(Duration refused) {
    refuse(30, refused, "");
    pooled.pool(PULLED);
    pooled.schedule("urgent", ", \"priority\": 0");
    pooled.arrive("urgent", 1);

    assertThat(customers(pull(1))).containsExactly("urgent");
    assertThat(pull(12)).hasSize(12);
    assertThat(pull(30)).hasSize(18);
  }

  /** At most 100 jobs are chosen and have not left, so no other job can be chosen then. */
  @Test
  void aPoolWhoseQueueIsMissingIsPulledWhileItGoesOnToMove() {
    pooled.pool("{\"queue\": \"encoding\"}");
    pooled.schedule("a", "");
    pooled.schedule("urgent", ", \"priority\": 0");
    world.targets.lose(QUEUE);
    pooled.arrive("a", 150);
    world.runFor(Duration.ofMinutes(12));
    pooled.arrive("urgent", 1);
    Set<JobId> pulled = new HashSet<>();
    for (int i = 0; i < 31; i++) {
      List<JobId> some = pull(5).stream().map(one -> one.job().id()).toList();
      assertThat(some).allMatch(pulled::add);
      assertThat(i > 0 && pooled.only("urgent").isReady()).isFalse();
      world.runFor(Duration.ofSeconds(1));
    }

    assertThat(pulled).hasSize(151);
    assertThat(pooled.in(JobState.CLAIMED)).hasSize(151);
    assertThat(pooled.moved()).isEmpty();
  }

  /**
   * The request may have reached its queue, so no worker may get the attempt before the lease ends.
   */
  @Test
  void aRefusedJobIsNotPulledWhileACheckerMovesIt() {
    refuse(1, Duration.ofSeconds(2), "");
    world.targets.accept(QUEUE);
    world.faults.afterNext(
        "TargetQueues.send",
        () -> {
          throw new Faults.Killed();
        });
    world.runFor(Duration.ofSeconds(3));
    assertThat(pooled.in(JobState.PENDING_LAUNCH)).hasSize(1);

    assertThat(pull(1)).isEmpty();
    world.runFor(Duration.ofSeconds(20));
    assertThat(pull(1)).isEmpty();
    assertThat(pooled.moved()).containsOnly("a");
    assertThat(pooled.in(JobState.ENQUEUED)).hasSize(1);
  }

  /** Otherwise a job whose check fails could make each pull fail. */
  @Test
  void aJobWhoseChecksFailDelaysItsPull() {
    pooled.pool(PULLED);
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.checkReceivedOften(pooled.only("a").id());

    assertThat(pull(1)).isEmpty();
    world.runFor(Duration.ofMinutes(2));
    assertThat(pull(1)).hasSize(1);
  }

  private boolean isOverdue() {
    return IntStream.range(0, 2)
        .anyMatch(shard -> !world.jobs.needingAttention(shard, world.now(), null, 1).isEmpty());
  }

  /** A pool that moves no jobs takes none out, so only the check of the job ends its delay. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"paused\": true}", PULLED})
  void aRefusedJobIsNotOverdueInAPoolThatMovesNone(String document) {
    refuse(2, Duration.ofSeconds(10), "");
    pooled.pool(document);
    world.runFor(Duration.ofMinutes(5));
    assertThat(isOverdue()).isFalse();
    List<Job> waiting = pooled.in(JobState.READY);
    assertThat(waiting).hasSize(2);
    world.runFor(Duration.ofMinutes(10));
    assertThat(pooled.in(JobState.READY)).isEqualTo(waiting);
    world.targets.accept(QUEUE);
    pooled.pool(FILLED);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.moved()).hasSize(2);
  }

  @Test
  void aRefusedJobTimesOutAlthoughItsPoolIsPaused() {
    String timeout = ", \"timeout\": {\"after\": \"PT30M\", \"action\": \"discard\"}";
    refuse(1, Duration.ofSeconds(10), timeout);
    pooled.pool("{\"paused\": true}");
    world.runUntil("2026-03-01T10:30:29Z");
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.in(JobState.TIMED_OUT)).hasSize(1);
  }

  /** Such a time-out has no effect on a READY job. */
  @Test
  void aJobIsNotOverdueAfterATimeOutThatLaunches() {
    pooled.pool("{\"paused\": true}");
    pooled.schedule("a", ", \"timeout\": {\"after\": \"PT30M\", \"action\": \"launch\"}");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(35));
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    assertThat(isOverdue()).isFalse();
  }

  @Test
  void aRefusedJobThatHoldsSlotsKeepsThem() {
    pooled.schedule("a", ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    pooled.pool(FILLED);
    world.targets.lose(QUEUE);
    pooled.arrive("a", 2);
    world.runFor(Duration.ofSeconds(10));
    pooled.pool("{\"paused\": true}");
    world.runFor(Duration.ofMinutes(5));
    assertThat(isOverdue()).isFalse();
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    assertThat(pooled.in(JobState.PENDING_CONSTRAINT)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"KILL_AFTER", "FAIL_AFTER"})
  void refusedJobsArePulledOnceAfterEachCrash(Kind kind) {
    Pooled.afterEachCrash(
        kind,
        (call, fault) -> new PoolRefusalTest().play(call, fault),
        (played, where) -> {
          assertThat(played.in(JobState.SUCCEEDED)).as(where).hasSize(3);
          assertThat(played.world.jobs.all()).as(where).hasSize(3);
          assertThat(played.world.gates.pools().rows(Pooled.ENCODE, "flight#", "flight$", 9))
              .as(where)
              .isEmpty();
        });
  }

  /** Workers pull while the moves of a pool with limits are refused. */
  private Pooled play(int call, Kind kind) {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"maxInFlight\": {\"default\": 1}}");
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    world.targets.lose(QUEUE);
    world.faults.choose(call, kind);
    for (String customer : List.of("a", "a", "b")) {
      world.partitions(customer, 1);
    }
    world.runFor(Duration.ofSeconds(5));
    Set<String> attempts = new HashSet<>();
    for (int i = 0; i < 80 && pooled.in(JobState.SUCCEEDED).size() < 3; i++) {
      for (Pulled one : pulled()) {
        assertThat(attempts.add(one.request().deduplicationId())).isTrue();
        succeed(one.job());
      }
      world.runFor(Duration.ofSeconds(5));
    }
    world.runFor(Duration.ofMinutes(2));
    return pooled;
  }

  private List<Pulled> pulled() {
    try {
      return world.call(() -> pull(1)).orElse(List.of());
    } catch (Faults.Unavailable unanswered) {
      return List.of();
    }
  }

  private void succeed(Job job) {
    Report.Success success = new Report.Success(job.claim().token(), null);
    Optional<?> answer = Optional.empty();
    while (answer.isEmpty()) {
      try {
        answer = world.call(() -> world.reports().report(job.id(), success).orElseThrow());
      } catch (Faults.Unavailable unanswered) {
        answer = Optional.empty();
      }
    }
  }
}
