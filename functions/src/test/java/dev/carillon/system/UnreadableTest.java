package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.JobState;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.system.World.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that one version of the functions cannot read: damaged, or stored by a newer one. */
class UnreadableTest {

  private static final String ONE =
      "\"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";

  private final World world = new World("2026-03-01T10:00:00Z");

  /** What of a schedule cannot be read. */
  private enum Part {
    DEFINITION,
    HEAD
  }

  private void damage(Part part, ScheduleId id) {
    if (part == Part.DEFINITION) {
      world.damageDefinitionOf(id);
    } else {
      world.damageHeadOf(id);
    }
  }

  private List<Arrival> arrivals(ScheduleId id) {
    return world.arrivals.stream()
        .filter(arrival -> arrival.request().job().schedule().equals(id))
        .toList();
  }

  private List<Instant> fires(ScheduleId id) {
    return arrivals(id).stream().map(arrival -> arrival.request().job().at()).sorted().toList();
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void firesOfOthersAreOnTimeAndItsOwnComeWhenItCanBeReadAgain(Part part) {
    ScheduleId bad = world.put("bad", active(cron("0 * * * * ?")));
    ScheduleId good = world.put("good", active(cron("0 * * * * ?")));
    damage(part, bad);
    world.runUntil("2026-03-01T10:20:30Z");
    assertThat(arrivals(good))
        .hasSize(20)
        .allMatch(arrival -> arrival.at().equals(arrival.request().job().at()));
    assertThat(arrivals(bad)).isEmpty();

    world.repair();
    world.runUntil("2026-03-01T10:23:30Z");
    assertThat(fires(bad)).isEqualTo(fires(good)).hasSize(23);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void eventsAreCountedByOthersAtOnceAndByItOnceItCanBeRead(Part part) {
    ScheduleId bad = world.put("bad", active(partition("d", 1)));
    ScheduleId good = world.put("good", active(partition("d", 1)));
    damage(part, bad);
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(arrivals(good)).hasSize(1);

    world.runFor(Duration.ofMinutes(5));
    world.repair();
    world.runFor(Duration.ofMinutes(2));
    assertThat(arrivals(good)).hasSize(1);
    assertThat(arrivals(bad)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void jobsThatCannotBeJudgedHoldUpNobodyAtTheirGate(Part part) {
    ScheduleId bad = waitingBeforeAnother(30);
    damage(part, bad);
    assertTheOtherGoesFirst(bad);
  }

  @Test
  void jobWhoseRowCannotBeReadHoldsUpNobodyAtItsGate() {
    ScheduleId bad = waitingBeforeAnother(1);
    JobId waiting =
        world.jobs.ofSchedule(bad, JobState.PENDING_CONSTRAINT, 1, null).items().get(0).id();
    world.damageRowOf(waiting);
    assertTheOtherGoesFirst(bad);
  }

  /**
   * One holds the only slot, for which so many jobs of the answer wait, and another behind them.
   */
  private ScheduleId waitingBeforeAnother(int jobs) {
    world.put("first", active(partition("a", 1), ONE));
    ScheduleId bad = world.put("bad", active(partition("b", 1), ONE));
    world.put("good", active(partition("c", 1), ONE));
    world.partitions("a", 1);
    world.runFor(Duration.ofSeconds(1));
    IntStream.range(0, jobs).forEach(i -> world.partitions("b", 1));
    world.runFor(Duration.ofSeconds(1));
    world.partitions("c", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
    return bad;
  }

  private void assertTheOtherGoesFirst(ScheduleId bad) {
    endRun();
    assertThat(world.arrivals).hasSize(2);
    assertThat(arrivals(bad)).isEmpty();

    world.runFor(Duration.ofMinutes(5));
    endRun();
    world.repair();
    world.runFor(Duration.ofSeconds(61));
    assertThat(world.arrivals).hasSize(3);
    assertThat(arrivals(bad)).hasSize(1);
  }

  private void endRun() {
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\"}}");
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void jobWhoseRowCannotBeReadHoldsUpNobodyInItsMessage() {
    String delay = "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT30S\"}]";
    ScheduleId bad = world.put("bad", active(partition("d", 1), delay));
    ScheduleId good = world.put("good", active(partition("d", 1), delay));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(10));
    world.damageRowOf(world.jobs.ofSchedule(bad, null, 1, null).items().get(0).id());
    world.runFor(Duration.ofMinutes(5));
    assertThat(arrivals(good))
        .extracting(Arrival::at)
        .containsExactly(Instant.parse("2026-03-01T10:00:30Z"));
    assertThat(arrivals(bad)).isEmpty();

    world.repair();
    world.runFor(Duration.ofSeconds(61));
    assertThat(arrivals(bad)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void suspensionEndsWhenItCanBeReadAndHoldsUpNobodyUntilThen(Part part) {
    ScheduleId bad = world.put("bad", active(cron("0 * * * * ?")));
    ScheduleId good = world.put("good", active(at("2026-03-01T10:02:15Z")));
    Instant end = Instant.parse("2026-03-01T10:02:15Z");
    world.keep(bad, SuspendMode.BACKLOG, end);
    damage(part, bad);
    world.runUntil("2026-03-01T10:10:30Z");
    assertThat(arrivals(good)).extracting(Arrival::at).containsExactly(end);
    assertThat(world.schedules.find(bad).orElseThrow().head().state())
        .isEqualTo(ScheduleState.SUSPENDED);

    world.repair();
    world.runUntil("2026-03-01T10:13:30Z");
    assertThat(world.schedules.find(bad).orElseThrow().head().state())
        .isEqualTo(ScheduleState.ACTIVE);
    assertThat(fires(bad)).hasSize(13);
  }
}
