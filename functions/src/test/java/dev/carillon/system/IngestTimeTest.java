package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest.Received;
import dev.carillon.job.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Batches that take longer than the time-out of the function. */
class IngestTimeTest {

  private static final Duration LIFE = Duration.ofSeconds(10);

  private final World world = new World("2026-03-01T10:00:00Z");

  private static Received partitions(String dataset, int number) {
    return new Received(
        dataset + number,
        "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"%s\", \"numPartitions\": 1}}"
            .formatted(dataset));
  }

  private long calls(String name) {
    return world.faults.calls().stream().filter(name::equals).count();
  }

  /** Handles the messages until none is received again, and the messages that they lead to. */
  private int receiveUntilAllIsDone(List<Received> messages) {
    List<Received> rest = messages;
    int receives = 0;
    while (!rest.isEmpty()) {
      Instant begin = world.now();
      List<Received> batch = rest;
      Set<String> failed = world.process().ingest().handle(batch, world.deadline());
      assertThat(Duration.between(begin, world.now())).isLessThanOrEqualTo(LIFE);
      List<Received> again = new ArrayList<>();
      batch.stream().filter(message -> failed.contains(message.messageId())).forEach(again::add);
      for (String body : world.ingestQueue.take()) {
        again.add(new Received("again-" + receives + "-" + again.size(), body));
      }
      rest = again;
      assertThat(++receives).isLessThan(100);
    }
    return receives;
  }

  @Test
  void eventsOfManyKeysAreCountedOnceEvenIfTheyTakeManyReceives() {
    List<ScheduleId> ids =
        IntStream.range(0, 30)
            .mapToObj(i -> world.put("s" + i, active(partition("d" + i, 1))))
            .toList();
    world.takePerCall(Duration.ofMillis(400));
    int receives =
        receiveUntilAllIsDone(
            IntStream.range(0, 30).mapToObj(i -> partitions("d" + i, i)).toList());
    assertThat(receives).isGreaterThan(1);
    assertThat(world.jobs.all().stream().map(Job::id).map(job -> job.schedule()))
        .containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void malformedMessagesAreRejectedTenAtATime() {
    List<Received> messages =
        IntStream.range(0, 45).mapToObj(i -> new Received("m" + i, "nonsense " + i)).toList();
    assertThat(world.process().ingest().handle(messages, world.deadline())).isEmpty();
    assertThat(calls("RejectedMessages.reject")).isEqualTo(5);
    assertThat(world.rejected.all()).hasSize(45);
  }

  @Test
  void malformedMessagesAreRejectedOnceEvenIfTheyTakeManyReceives() {
    world.takePerCall(Duration.ofSeconds(1));
    int receives =
        receiveUntilAllIsDone(
            IntStream.range(0, 200).mapToObj(i -> new Received("m" + i, "nonsense " + i)).toList());
    assertThat(receives).isGreaterThan(1);
    assertThat(world.rejected.all()).hasSize(200).doesNotHaveDuplicates();
  }

  @Test
  void aFailedRejectionRepeatsOnlyTheMessagesSentWithIt() {
    List<Received> messages =
        IntStream.range(0, 30).mapToObj(i -> new Received("m" + i, "nonsense")).toList();
    world.faults.choose(1, Faults.Kind.FAIL_BEFORE);
    assertThat(world.process().ingest().handle(messages, world.deadline()))
        .isEqualTo(IntStream.range(10, 20).mapToObj(i -> "m" + i).collect(Collectors.toSet()));
    assertThat(world.rejected.all()).hasSize(20);
  }

  @Test
  void remainingEventsAreSentAgainTenAtATime() {
    ScheduleId failing = world.put("failing", active(partition("d", 1)));
    ScheduleId counting = world.put("counting", active(partition("d", 1)));
    List<Received> messages = IntStream.range(0, 25).mapToObj(i -> partitions("d", i)).toList();
    world.failSavesOf(failing);
    assertThat(world.process().ingest().handle(messages, world.deadline())).isEmpty();
    assertThat(calls("IngestQueue.send")).isEqualTo(3);

    world.failSavesOf(null);
    receiveUntilAllIsDone(
        world.ingestQueue.take().stream().map(body -> new Received(body, body)).toList());
    assertThat(jobsOf(failing)).isEqualTo(25);
    assertThat(jobsOf(counting)).isEqualTo(25);
  }

  private long jobsOf(ScheduleId id) {
    return world.jobs.all().stream().filter(job -> job.id().schedule().equals(id)).count();
  }

  @Test
  void remainingWorkIsHandedOnEvenAfterTheDeadline() {
    IntStream.range(0, 20).forEach(i -> world.put("s" + i, active(partition("d", 1))));
    world.takePerCall(Duration.ofMillis(400));
    Set<String> failed =
        world.process().ingest().handle(List.of(partitions("d", 1)), world.deadline());
    assertThat(failed).isEmpty();
    assertThat(world.jobs.all()).hasSizeBetween(1, 19);
    assertThat(world.ingestQueue.take()).hasSize(1);
  }
}
