package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error of the JVM, for example because a handler took all the memory, ends no polling. */
@Timeout(600)
class JvmErrorTest {

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** Fails when requests or jobs are received first. */
  private static final class FirstError implements WorkerListener {

    private final AtomicBoolean isFirst = new AtomicBoolean(true);

    @Override
    public void received(String queue, int requests) {
      if (isFirst.getAndSet(false)) {
        throw new OutOfMemoryError("simulated");
      }
    }
  }

  @Test
  void aQueueIsPolledAfterAnError() throws InterruptedException {
    Rig rig = new Rig();
    rig.builder.listener(new FirstError());
    rig.start(job -> {});
    rig.queue.send("a", 1, 5);
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    rig.time.awaitTasks(2);
    rig.queue.send("b", 1, 5);
    rig.time.move(LONGEST_PAUSE);
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED b");
    rig.close();
  }

  @Test
  void aPoolIsPulledFromAfterAnError() throws InterruptedException {
    Rig rig = Rig.ofPool("team/encode");
    rig.builder.listener(new FirstError());
    rig.start(job -> {});
    rig.api.pool().add("a");
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    rig.time.awaitTaskIn(LONGEST_PAUSE);
    rig.api.pool().add("b");
    rig.time.move(LONGEST_PAUSE);
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED b");
    rig.close();
  }
}
