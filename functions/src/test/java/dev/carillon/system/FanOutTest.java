package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest.Received;
import dev.carillon.job.Job;
import dev.carillon.metrics.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An event that concerns more schedules than one call can count. */
class FanOutTest {

  private static final String NOISY =
      """
      {"eventType": "file", "id": "noisy", "payload": {"key": "in/a"}}
      """;
  private static final String QUIET =
      """
      {"eventType": "file", "id": "quiet", "namespace": "other", "payload": {}}
      """;

  private final World world = new World("2026-03-01T10:00:00Z");
  private final Set<ScheduleId> many = new HashSet<>();

  private void storeMany(int count, Duration perDefinition) {
    String filtered =
        active(
            """
            {"type": "event", "key": "file", "filter": {"key": [{"prefix": "in/"}]}}
            """);
    IntStream.range(0, count).forEach(i -> many.add(world.put("s" + i, filtered)));
    world.takePerDefinition(perDefinition);
  }

  private List<ScheduleId> counted() {
    return world.jobs.all().stream().map(Job::id).map(job -> job.schedule()).toList();
  }

  /** Handles a batch as SQS would deliver it, and returns what is delivered in the next batch. */
  private List<Received> handle(List<Received> batch) {
    Optional<Set<String>> failed =
        world.call(() -> world.process().ingest().handle(batch, world.deadline()));
    List<Received> next = new ArrayList<>();
    for (Received message : batch) {
      if (failed.isEmpty() || failed.get().contains(message.messageId())) {
        next.add(
            new Received(
                message.messageId(), message.body(), message.namespace(), message.receives() + 1));
      }
    }
    for (String body : world.ingestQueue.take()) {
      next.add(new Received("sent-" + next.size() + "-" + counted().size(), body));
    }
    return next;
  }

  @Test
  void anEventOfManySchedulesMakesProgressInEveryCallAndCountsOnceForEach() {
    storeMany(5_000, Duration.ofMillis(2));
    ScheduleId quiet =
        world.put("other", "quiet", active("{\"type\": \"event\", \"key\": \"file\"}"));
    List<Received> next = List.of(new Received("n", NOISY), new Received("q", QUIET));
    int before = 0;
    for (int calls = 0; !next.isEmpty(); calls++) {
      next = handle(next);
      assertThat(counted()).hasSizeGreaterThan(before);
      before = counted().size();
      assertThat(calls).isLessThan(20);
      assertThat(counted()).contains(quiet);
    }
    many.add(quiet);
    assertThat(counted()).containsExactlyInAnyOrderElementsOf(many);
  }

  /** The function dies at a call to a store or queue, in each of its first three invocations. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 1_400})
  void aCallThatDiesLosesNothingAndCountsNothingTwice(int call) {
    assertACallThatDiesLosesNothing(call);
  }

  @Tag("proof")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 700, 2_100})
  void anyOtherCallThatDiesLosesNothingAndCountsNothingTwice(int call) {
    assertACallThatDiesLosesNothing(call);
  }

  private void assertACallThatDiesLosesNothing(int call) {
    storeMany(1_800, Duration.ofMillis(8));
    List<Received> next = List.of(new Received("n", NOISY));
    for (int calls = 0; !next.isEmpty(); calls++) {
      if (calls < 3) {
        world.faults.choose(world.faults.calls().size() + call, Faults.Kind.KILL_AFTER);
      }
      next = handle(next);
      assertThat(calls).isLessThan(20);
    }
    assertThat(counted()).containsExactlyInAnyOrderElementsOf(many);
  }

  @Test
  void aMessageThatWasReceivedOftenDoesNotHurtTheOthers() {
    storeMany(600, Duration.ofMillis(16));
    ScheduleId quiet = world.put("quiet", active(partition("d", 1)));
    List<Received> batch = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      batch.add(
          new Received("n" + i, NOISY.replace("noisy", "n" + i), Optional.empty(), 3 + i % 5));
    }
    batch.add(new Received("q", partitions("d")));
    List<Received> next = handle(batch);
    assertThat(counted()).contains(quiet);
    assertThat(next).extracting(Received::messageId).doesNotContain("q");
  }

  /** The index need not show at once to ingest what it has shown to PUT. */
  @Test
  void anEventThatFindsNoScheduleIsSearchedForOnceMore() {
    world.event(partitions("d"));
    world.settle();
    ScheduleId late = world.put("late", active(partition("d", 1)));
    world.runFor(Duration.ofSeconds(4));
    assertThat(world.metrics.sum(Metric.EVENTS_UNMATCHED)).isZero();
    world.runFor(Duration.ofSeconds(2));
    assertThat(counted()).containsExactly(late);
    assertThat(world.metrics.sum(Metric.EVENTS_COUNTED)).isEqualTo(1);
  }

  @Test
  void anEventWithoutScheduleIsUnmatchedAfterTheSecondSearch() {
    world.event(partitions("d"));
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.metrics.sum(Metric.EVENTS_UNMATCHED)).isEqualTo(1);
    assertThat(world.faults.calls().stream().filter("IngestQueue.send"::equals)).hasSize(1);
    assertThat(world.faults.calls().stream().filter("Schedules.withEventKey"::equals)).hasSize(2);
  }

  /** Most ends of runs concern no schedule: each launch would cost another message. */
  @Test
  void anEndOfARunWithoutScheduleIsUnmatchedAtOnce() {
    world.event(
        """
        {"eventType": "PROGRAM_STATUS", "payload": {"programId": "p", "status": "FAILED"}}
        """);
    world.settle();
    assertThat(world.metrics.sum(Metric.EVENTS_UNMATCHED)).isEqualTo(1);
    assertThat(world.faults.calls()).doesNotContain("IngestQueue.send");
  }

  private static String partitions(String dataset) {
    return "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"%s\", \"numPartitions\": 1}}"
        .formatted(dataset);
  }
}
