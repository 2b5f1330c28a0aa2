package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.memory.MemoryCheckQueue.Message;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryCheckQueueTest extends CheckQueueContract {

  private final MemoryCheckQueue queue = new MemoryCheckQueue();

  @Override
  CheckQueue queue() {
    return queue;
  }

  @Override
  List<Check> received() {
    return queue.receive(NOW, 1_000).stream().map(Message::check).toList();
  }

  @Override
  List<Check> receivedOverdue() {
    return queue.receiveOverdue(NOW, 1_000).stream().map(Message::check).toList();
  }

  @Override
  long delayed() {
    return queue.all().size() - received().size();
  }

  @Test
  void aDelayIsInWholeSecondsAndAtMostFifteenMinutes() {
    queue.send(List.of(aCheck(NOW.plusMillis(61_999)), aCheck(NOW.plusSeconds(2_000))), NOW);

    assertThat(queue.nextVisible()).contains(NOW.plusSeconds(61));
    assertThat(queue.receive(NOW.plusMillis(60_999), 10)).isEmpty();
    assertThat(queue.receive(NOW.plusSeconds(61), 10)).hasSize(1);
    assertThat(queue.receive(NOW.plusSeconds(900), 1)).hasSize(1);
  }

  @Test
  void anUnacknowledgedMessageIsReceivedAgain() {
    queue.send(List.of(aCheck(NOW)), NOW);
    Instant again = NOW.plus(MemoryCheckQueue.VISIBILITY);

    Message first = queue.receive(NOW, 10).get(0);
    assertThat(first.receiveCount()).isEqualTo(1);
    assertThat(queue.receive(again.minusMillis(1), 10)).isEmpty();

    Message second = queue.receive(again, 10).get(0);
    assertThat(second.receiveCount()).isEqualTo(2);
    queue.delete(second);
    queue.delete(first);
    assertThat(queue.receive(again.plusSeconds(1_000), 10)).isEmpty();
    assertThat(queue.nextVisible()).isEmpty();
  }
}
