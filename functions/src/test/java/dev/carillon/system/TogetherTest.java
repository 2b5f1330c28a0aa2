package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.collect.Collector;
import dev.carillon.event.Event;
import dev.carillon.event.EventParser;
import dev.carillon.event.ParsedMessage;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Jobs that one pass processes together do not wait for each other. */
class TogetherTest {

  private static final String FIRE = "2026-03-01T10:05:00Z";
  private static final String CRON = cron("0 5 10 * * ?");

  private final World world = new World("2026-03-01T10:00:00Z");

  private List<String> launchedAt(String instant) {
    return world.arrivals.stream()
        .filter(arrival -> arrival.at().equals(Instant.parse(instant)))
        .map(arrival -> arrival.request().job().schedule().name())
        .toList();
  }

  private void launchesOnce(String... names) {
    world.failSavesOf(null);
    world.faults.heal();
    world.runUntil("2026-03-01T10:09:00Z");
    assertThat(world.arrivals)
        .extracting(arrival -> arrival.request().job().schedule().name())
        .containsExactlyInAnyOrder(names);
  }

  @Test
  void dueJobsAreLaunchedEvenIfTheCountsOfAnotherScheduleCannotBeStored() {
    ScheduleId counted = world.put("counted", active(or(CRON, partition("d", 1))));
    world.put("plain", active(CRON));
    world.failSavesOf(counted);
    world.runUntil(FIRE);

    assertThat(launchedAt(FIRE)).containsExactly("plain");
    launchesOnce("plain", "counted");
  }

  @Test
  void dueJobsAreLaunchedEvenIfTheFireOfAnotherScheduleCannotBeTaken() {
    ScheduleId skips = world.put("skips", active(CRON, "\"whilePending\": \"skip\""));
    world.put("plain", active(CRON));
    world.failSavesOf(skips);
    world.runUntil(FIRE);

    assertThat(launchedAt(FIRE)).containsExactly("plain");
    launchesOnce("plain", "skips");
  }

  @Test
  void dueJobsAreLaunchedEvenIfTheGateOfAnotherScheduleCannotBeStored() {
    world.put("gated", active(CRON, "\"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]"));
    world.put("plain", active(CRON));
    world.faults.failAll("Gates.commit");
    world.runUntil(FIRE);

    assertThat(launchedAt(FIRE)).containsExactly("plain");
    launchesOnce("plain", "gated");
  }

  @Test
  void leasedJobsAreLaunchedEvenIfOthersCannotBeStored() {
    world.put("gated", active(CRON, "\"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]"));
    ScheduleId unstored = world.put("unstored", active(CRON));
    world.failChecksOf(JobId.ofFire(unstored, 1, Instant.parse(FIRE)));
    world.runUntil(FIRE);

    assertThat(launchedAt(FIRE)).containsExactly("gated");
    world.failChecksOf(null);
    launchesOnce("gated", "unstored");
  }

  @Test
  void countsAreStoredAfterDueJobsWereSent() {
    world.put("counted", active(or(CRON, partition("d", 1))));
    world.put("plain", active(CRON));
    world.runUntil("2026-03-01T10:04:50Z");
    int before = world.faults.calls().size();
    world.runUntil(FIRE);

    List<String> calls = world.faults.calls().subList(before, world.faults.calls().size());
    assertThat(calls.indexOf("TargetQueues.send")).isLessThan(calls.indexOf("Jobs.save"));
    assertThat(launchedAt(FIRE)).containsExactlyInAnyOrder("plain", "counted");
  }

  @Test
  void schedulesAreCompletedAfterAllDueJobsWereLaunched() {
    List<ScheduleId> ids = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      ids.add(world.put("once-" + i, active(at(FIRE))));
    }
    world.runUntil(FIRE);

    List<String> calls =
        world.faults.calls().stream()
            .filter(call -> call.equals("TargetQueues.send") || call.equals("Schedules.save"))
            .toList();
    int sends = calls.lastIndexOf("TargetQueues.send") + 1;
    assertThat(sends).isGreaterThan(1);
    assertThat(calls.subList(0, sends)).containsOnly("TargetQueues.send");
    assertThat(calls.subList(sends, calls.size())).hasSize(250);
    assertThat(world.arrivals).hasSize(250);
    assertThat(ids)
        .allMatch(
            id -> world.schedules.find(id).orElseThrow().head().state() == ScheduleState.COMPLETED);
  }

  @Test
  void schedulesThatCannotBeCompletedNowAreCompletedByTheNextCheck() {
    ScheduleId id = world.put("once", active(at(FIRE)));
    world.faults.failAll("Schedules.save");
    world.runUntil(FIRE);
    assertThat(launchedAt(FIRE)).containsExactly("once");

    launchesOnce("once");
    assertThat(world.schedules.find(id).orElseThrow().head().state())
        .isEqualTo(ScheduleState.COMPLETED);
  }

  @Test
  void aWaitingJobIsCheckedInTimeEvenIfAnotherJobFails() {
    world.put(
        "late", active(CRON, "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT5S\"}]"));
    world.put("gated", active(CRON, "\"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]"));
    world.faults.failAll("Gates.commit");
    world.runUntil("2026-03-01T10:05:05Z");

    assertThat(launchedAt("2026-03-01T10:05:05Z")).containsExactly("late");
    launchesOnce("late", "gated");
  }

  @Test
  void aScheduleThatWasRelabelledMeanwhileIsStillCompleted() {
    ScheduleId id = world.put("once", active(at(FIRE)));
    AtomicBoolean isRelabelled = new AtomicBoolean();
    world.faults.around(
        () -> {
          if (world.faults.calls().contains("TargetQueues.send") && !isRelabelled.getAndSet(true)) {
            world.put("once", active(at(FIRE), "\"description\": \"another\""));
          }
        },
        () -> {});
    world.runUntil(FIRE);

    assertThat(world.schedules.find(id).orElseThrow().head().state())
        .isEqualTo(ScheduleState.COMPLETED);
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void veryManyMissedFiresAreCountedByOneMessageAfterAnother() {
    ScheduleId id = world.put("each", active(or(cron("* * * * * ?"), partition("d", 1))));
    world.sleepUntil("2026-03-01T10:27:00Z");
    Head head = world.schedules.find(id).orElseThrow().head();
    Compiled compiled =
        new CompiledSchedules(world.schedules, world.calendars, world.parser)
            .of(List.of(head))
            .get(id);
    Collector collector = new Collector(world.jobs, world.checkQueue, world.updates, world::now);

    collector.advance(compiled, head, world.now());
    assertThat(world.jobs.all()).hasSize(750);
    assertThatThrownBy(() -> collector.collect(compiled, head, List.of(event())))
        .hasMessageContaining("must be received again");
    assertThat(collector.collect(compiled, head, List.of(event()))).hasSize(1);
    world.runFor(Duration.ofMinutes(1));
    assertThat(world.requestsByJob().values()).hasSize(28 * 60 + 1).containsOnly(1L);
  }

  /** Each event is one job, and one write takes 50 jobs. */
  @Test
  void allEventsOfABatchAreCountedTogether() {
    world.put("each", active(partition("d", 1)));
    for (int i = 0; i < 1_000; i++) {
      world.partitions("d", 1);
    }
    world.runFor(Duration.ofSeconds(2));

    assertThat(world.requestsByJob().values()).hasSize(1_000).containsOnly(1L);
  }

  private Event event() {
    String body =
        "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"d\", \"partitionKeys\": [\"x\"]}}";
    ParsedMessage parsed =
        EventParser.parse(World.read(body), "", "one", world.now(), Optional.empty());
    return ((ParsedMessage.Events) parsed).events().get(0);
  }
}
