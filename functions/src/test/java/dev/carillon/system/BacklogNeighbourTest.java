package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.ScheduleId;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.system.World.Arrival;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Backlogs of one namespace beside crons of another, with few checks a second. */
class BacklogNeighbourTest {

  private static final String CRON =
      """
      {"state": "ACTIVE", "trigger": {"type": "cron", "expression": "%s"},
       "target": {"queue": "q", "template": {}}}
      """;

  private static final int BACKLOG = 2_000;
  private static final int CRONS = 500;
  private static final ScheduleId LOUD = new ScheduleId("loud", "minutely");

  @Test
  void resumedFiresDoNotDelayCronsOfOthers() {
    World beside = new World("2026-03-01T00:00:00Z");
    beside.put(LOUD, CRON.formatted("0 * * * * ?"));
    beside.keep(LOUD, SuspendMode.BACKLOG, null);
    beside.setClock("2026-03-02T09:50:00Z");
    World alone = new World("2026-03-02T09:50:00Z");
    for (World world : List.of(beside, alone)) {
      for (int i = 0; i < CRONS; i++) {
        world.put(new ScheduleId("quiet", "cron-" + i), CRON.formatted("0 1 10 * * ?"));
      }
      world.runUntil("2026-03-02T10:00:59Z");
    }

    beside.resume(LOUD);
    beside.runBounded(Duration.ofMinutes(5), 1, 1);
    alone.runBounded(Duration.ofMinutes(5), 1, 1);

    assertThat(lateness(beside)).isLessThanOrEqualTo(2 * lateness(alone));
    assertThat(arrivals(beside, "loud").size()).isGreaterThanOrEqualTo(BACKLOG);
  }

  @Test
  void jobsThatASuspensionHeldAreOverdueWhenItEnds() {
    World world = new World("2026-03-01T09:59:00Z");
    ScheduleId id =
        world.put(
            LOUD,
            """
            {"state": "ACTIVE", "trigger": {"type": "cron", "expression": "0 0 10 * * ?"},
             "constraints": [{"type": "timeWindow", "from": "11:00", "to": "12:00"}],
             "target": {"queue": "q", "template": {}}}
            """);
    world.runUntil("2026-03-01T10:05:00Z");
    world.keep(id, SuspendMode.HOLD, null);
    world.runUntil("2026-03-01T11:30:00Z");
    world.resume(id);
    world.runBounded(Duration.ofSeconds(2), 10, 0);

    assertThat(world.arrivals).isEmpty();
    assertThat(world.checkQueue.receiveOverdue(world.now(), 10)).hasSize(1);
    world.runBounded(MemoryCheckQueue.VISIBILITY.plusSeconds(2), 0, 10);
    assertThat(world.arrivals).hasSize(1);
  }

  private static List<Arrival> arrivals(World world, String namespace) {
    return world.arrivals.stream()
        .filter(arrival -> arrival.request().job().schedule().namespace().equals(namespace))
        .toList();
  }

  /** The seconds by which the latest of the crons is late. */
  private static long lateness(World world) {
    return arrivals(world, "quiet").stream()
        .mapToLong(one -> Duration.between(one.request().job().at(), one.at()).toSeconds())
        .max()
        .orElseThrow();
  }
}
