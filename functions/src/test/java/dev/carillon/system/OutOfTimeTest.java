package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.checker.Checker.Received;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An invocation of the checker whose deadline passes in the middle of its work. */
class OutOfTimeTest {

  private static final Instant FIRE = Instant.parse("2026-03-01T10:00:30Z");

  private final World world = new World("2026-03-01T10:00:00Z");

  /** The job concerns a gate, and its schedule has to be completed afterwards. */
  @Test
  void aCheckWithTwoStepsLeftIsHandedOnOnce() {
    String one = "\"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
    ScheduleId id = world.put("once", active(at(FIRE.toString()), one));
    world.runUntil("2026-03-01T10:00:29Z");
    world.checkQueue.receive(FIRE, 10).forEach(world.checkQueue::delete);
    world.pause(Duration.ofSeconds(2));
    Check check = Check.of(FIRE, List.of(JobId.ofFire(id, 1, FIRE))).get(0);
    AtomicInteger questions = new AtomicInteger();
    Deadline passesBeforeTheGate =
        new Deadline(
            world.now().plusSeconds(1),
            () -> world.now().plusSeconds(questions.getAndIncrement() < 2 ? 0 : 1));
    world.faults.calls().clear();

    assertThat(
            world
                .process()
                .checker()
                .handle(List.of(new Received("m", check, 1)), passesBeforeTheGate))
        .isEmpty();
    assertThat(world.arrivals).isEmpty();
    assertThat(world.faults.calls().stream().filter("CheckQueue.send"::equals)).hasSize(1);

    world.runFor(Duration.ofSeconds(5));
    assertThat(world.arrivals).hasSize(1);
    assertThat(world.schedules.find(id).orElseThrow().head().state())
        .isEqualTo(ScheduleState.COMPLETED);
  }
}
