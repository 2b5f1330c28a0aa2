package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.checker.Checker.Received;
import dev.carillon.id.GateKey;
import dev.carillon.memory.MemoryCheckQueue.Message;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A job waits for a rate. The clock steps back while a checker handles the message of its gate. */
class GateClockStepTest {

  private static final GateKey GATE = GateKey.ofProgram("default", "p");

  private static final String RATE =
      "\"program\": \"p\", \"constraints\": [{\"type\": \"rate\", \"max\": 1, \"per\": \"PT1M\"}]";

  private World world;

  @Test
  void theJobDoesNotWaitForTheMaster() {
    boolean hasStepped = true;
    for (int readings = 0; hasStepped; readings++) {
      world = new World("2026-03-01T10:00:30Z");
      world.put("a", active(partition("a", 1), RATE));
      world.partitions("a", 1);
      world.partitions("a", 1);
      world.runFor(Duration.ofSeconds(5));
      assertThat(world.arrivals).hasSize(1);
      Instant opening = world.gates.find(List.of(GATE)).get(GATE).wakeAt();
      world.sleepUntil(opening.toString());
      AtomicInteger left = new AtomicInteger(readings);
      handleWhileTheClockStepsBack(opening, left);
      world.runFor(Duration.ofSeconds(5));
      hasStepped = left.get() < 0;
      assertThat(world.arrivals)
          .as("the clock steps back after " + readings + " readings")
          .hasSize(2);
    }
  }

  private void handleWhileTheClockStepsBack(Instant due, AtomicInteger left) {
    List<Message> messages = world.checkQueue.receive(due, 10);
    List<Received> received =
        messages.stream().map(it -> new Received(Long.toString(it.id()), it.check(), 1)).toList();
    assertThat(received).isNotEmpty();
    Deadline deadline = new Deadline(due.plusSeconds(8), () -> due);
    world.giveClock(() -> left.getAndDecrement() > 0 ? due : due.minusSeconds(2));
    world.call(() -> world.process().checker().handle(received, deadline));
    world.giveClock(world::now);
    messages.forEach(world.checkQueue::delete);
  }
}
