package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.ScheduleId;
import org.junit.jupiter.api.Test;

/** Eventually consistent reads that lag for much longer than usual. */
class LaggingReadsTest {

  private final World world = new World("2026-03-01T10:00:00Z");

  private Iterable<String> launchedFor() {
    return world.arrivals.stream().map(arrival -> arrival.request().job().at().toString()).toList();
  }

  @Test
  void aNewScheduleThatLaggingReadsDoNotShowIsLaunched() {
    world.schedules.stopShowingChanges();
    world.put("new", active(cron("0 0/20 * * * ?")));
    world.runUntil("2026-03-01T10:50:00Z");
    assertThat(launchedFor()).containsExactly("2026-03-01T10:20:00Z", "2026-03-01T10:40:00Z");
  }

  @Test
  void aChangedScheduleThatLaggingReadsShowUnchangedLaunchesTheNewFires() {
    world.put("changed", active(cron("0 0/20 * * * ?")));
    world.runUntil("2026-03-01T10:25:00Z");
    world.schedules.stopShowingChanges();
    world.put("changed", active(cron("0 5/20 * * * ?")));
    world.runUntil("2026-03-01T11:15:00Z");
    assertThat(launchedFor())
        .containsExactly("2026-03-01T10:20:00Z", "2026-03-01T10:45:00Z", "2026-03-01T11:05:00Z");
  }

  @Test
  void aResumedScheduleThatLaggingReadsShowSuspendedIsLaunched() {
    ScheduleId id = world.put("resumed", active(cron("0 0/20 * * * ?")));
    world.suspend(id);
    world.runUntil("2026-03-01T10:25:00Z");
    world.schedules.stopShowingChanges();
    world.resume(id);
    world.runUntil("2026-03-01T10:50:00Z");
    assertThat(launchedFor()).containsExactly("2026-03-01T10:40:00Z");
  }

  @Test
  void aDeletedScheduleThatLaggingReadsShowActiveIsNotLaunched() {
    ScheduleId id = world.put("deleted", active(cron("0 0/20 * * * ?")));
    world.runUntil("2026-03-01T10:25:00Z");
    world.schedules.stopShowingChanges();
    world.delete(id);
    world.runUntil("2026-03-01T11:10:00Z");
    assertThat(launchedFor()).containsExactly("2026-03-01T10:20:00Z");
  }
}
