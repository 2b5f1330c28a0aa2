package dev.carillon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.collect.Collector;
import dev.carillon.contract.Servers;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.event.Event;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs functions that count events for one schedule concurrently. */
class WritersAtOnceTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final ScheduleId ID = new ScheduleId("default", "joined");
  private static final int WRITERS = 5;

  @Test
  void fiveWritersAtOnceMakeOneJobWithFiveEventsInMemory() {
    assertOneJobWithFiveEvents(new MemoryJobs(2));
  }

  @Test
  void fiveWritersAtOnceMakeOneJobWithFiveEvents() {
    assertOneJobWithFiveEvents(
        new DynamoJobs(
            Servers.dynamoDb(), Servers.tables(), 2, Duration.ofDays(90), Servers.fanout()));
  }

  private static void assertOneJobWithFiveEvents(Jobs jobs) {
    ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
    Schedule schedule =
        parser.parse(
            ID,
            Json.readObject(
                """
                {"trigger": {"type": "partition", "dataset": "d", "count": 5}, "state": "ACTIVE",
                 "target": {"queue": "work", "template": {}}}
                """),
            NOW);
    Change created = Lifecycle.create(null, schedule, NOW, "test");
    Head head = created.after();
    Compiled compiled = new Compiled(created.definition(), schedule);
    Collector collector =
        new Collector(jobs, new MemoryCheckQueue(), OptimisticUpdate.uncounted(), () -> NOW);

    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      new Fanout(threads)
          .forEach(
              IntStream.range(0, WRITERS).boxed().toList(),
              number -> collector.collect(compiled, head, List.of(event(number))));
    } finally {
      threads.shutdown();
    }

    List<Job> found = jobs.ofSchedule(ID, null, 10, null).items();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).triggerState().events()).hasSize(WRITERS);
    assertThat(found.get(0).triggerState().leaves().get(0).actual()).isEqualTo(WRITERS);
    assertThat(jobs.collectingJob(ID, NOW).orElseThrow().collectingJob().open()).isNull();
  }

  private static Event event(int number) {
    return new Event(
        "event-" + number, "default", NOW, "PARTITION", Json.object(), Map.of("partition:d", 1L));
  }
}
