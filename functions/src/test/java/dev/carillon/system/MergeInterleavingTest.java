package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.checker.Checker;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.system.Interleavings.Turns;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fires that are taken at the same time, while the first of them is being launched, in all orders
 * of calls with two preemptions and in many random orders: each is launched, merged or skipped
 * once.
 */
class MergeInterleavingTest {

  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void everyFireIsTakenOnceInOrdersWithOnePreemption(String policy) {
    try (Interleavings interleavings = new Interleavings()) {
      assertThat(interleavings.few(turns -> play(policy, turns))).isGreaterThan(5);
    }
  }

  @Tag("proof")
  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void everyFireIsTakenOnce(String policy) {
    try (Interleavings interleavings = new Interleavings()) {
      int played = interleavings.many(turns -> play(policy, turns));
      assertThat(played).isGreaterThan(100);
      System.out.printf("| fires with %s | %d orders |%n", policy, played);
    }
  }

  private static void play(String policy, Turns turns) {
    World world = new World("2026-03-01T10:00:35Z");
    String waits =
        "\"whilePending\": \"%s\", \"constraints\": [{\"type\": \"delay\", \"duration\": \"PT20S\"}]"
            .formatted(policy);
    ScheduleId id = world.put("m", active(cron("40,50,0 0,1 10 * * ?"), waits));
    world.setClock("2026-03-01T10:01:00Z");
    world.faults.around(turns::pause, () -> {});
    turns.run(
        List.of(
            checking(world, id, "10:00:40"),
            checking(world, id, "10:00:50"),
            checking(world, id, "10:00:50", "10:01:00")));
    world.handleChecks();
    world.runFor(Duration.ofMinutes(3));
    List<Job> jobs = world.jobs.all();
    List<Job> launched = jobs.stream().filter(job -> job.state() == JobState.LAUNCHED).toList();
    long fires = launched.stream().mapToLong(MergeInterleavingTest::fires).sum();
    long skipped = jobs.stream().filter(job -> job.state() == JobState.SKIPPED).count();
    assertThat(jobs).hasSize(5);
    assertThat(launched.size() + skipped).isEqualTo(5);
    assertThat(fires).isEqualTo(policy.equals("merge") ? 5 : launched.size());
    assertThat(world.requestsByJob()).hasSameSizeAs(launched);
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
  }

  private static long fires(Job job) {
    return job.triggerState() == null ? 1 : job.triggerState().leaves().get(0).actual();
  }

  private static Runnable checking(World world, ScheduleId id, String... times) {
    List<JobId> fires =
        Stream.of(times)
            .map(time -> JobId.ofFire(id, 1, Instant.parse("2026-03-01T" + time + "Z")))
            .toList();
    Check check = new Check(fires.get(fires.size() - 1).at(), fires);
    return () ->
        assertThat(
                world
                    .process()
                    .checker()
                    .handle(List.of(new Checker.Received("m", check, 1)), world.deadline()))
            .isEmpty();
  }
}
