package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.GateKey;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.Launching;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A namespace with 100,000 schedules that have limits. */
class ManyLimitsTest {

  private static final int SCHEDULES = 100_000;
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final String ONE =
      ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1, \"group\": \"db\"}]";

  private final World world = new World("2026-03-01T10:00:30Z");

  @Test
  void aLaunchReadsAFixedAmountAndHonoursTheLimits() {
    for (int number = 0; number < SCHEDULES; number++) {
      store("s" + number, "p" + number, number % 2 == 0 ? "c1:db" : "r9/60000");
    }
    ScheduleId limited = world.put("limited", active(ONE));
    ScheduleId other = world.put("other", active(ONE));
    ScheduleId free = world.put("free", active(""));

    world.runUntil("2026-03-01T10:01:10Z");

    assertThat(world.arrivals).extracting(it -> it.request().job().schedule()).contains(free);
    assertThat(world.arrivals)
        .filteredOn(it -> Set.of(limited, other).contains(it.request().job().schedule()))
        .as("one slot for the group of 50,002 schedules")
        .hasSize(1);
    Launching read = world.schedules.forLaunch(List.of(limited));
    assertThat(read.limited().get("default").counts())
        .hasSizeLessThanOrEqualTo(LimitedPrograms.BUCKETS);
    GateKey group = GateKey.ofGroup("default", "db");
    Gate gate = world.gates.find(List.of(group)).get(group);
    assertThat(gate.demands()).hasSize(1).containsEntry("c1:db", SCHEDULES / 2 + 2L);
  }

  private static String active(String constraints) {
    return """
    {"trigger": {"type": "cron", "expression": "0 * * * * ?"}, "state": "ACTIVE",
     "target": {"queue": "work", "template": {}}%s}
    """
        .formatted(constraints);
  }

  private void store(String name, String program, String limits) {
    ScheduleId id = new ScheduleId("default", name);
    Head head = new Head(id, 1, Life.begun(1, 1, null, null, NOW), null, program, null, limits);
    Definition definition = new Definition(id, 1, Json.object(), NOW, NOW, "test", NOW);
    Change change = new Change(null, head, definition, Set.of(), Set.of(), List.of());
    assertThat(world.schedules.save(change)).isTrue();
  }
}
