package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task whose thread cannot be started runs later. */
@Timeout(600)
class SystemTimeTest {

  private final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();
  private final SystemTime time = new SystemTime(new FirstError(), new Heard());
  private volatile Runnable onTrouble = () -> {};

  /** Can start no thread for its first task. */
  private static final class FirstError extends ThreadPoolExecutor {

    private final AtomicBoolean isFirst = new AtomicBoolean(true);

    FirstError() {
      super(0, 9, 1, TimeUnit.MINUTES, new SynchronousQueue<>());
    }

    @Override
    public void execute(Runnable task) {
      if (isFirst.getAndSet(false)) {
        throw new OutOfMemoryError("simulated");
      }
      super.execute(task);
    }
  }

  private final class Heard implements WorkerListener {

    @Override
    public void trouble(String doing, RuntimeException cause) {
      troubles.add(doing + ": " + cause.getMessage());
      onTrouble.run();
    }
  }

  @AfterEach
  void stop() {
    time.close();
  }

  @Test
  void aTaskRunsAfterAnError() throws InterruptedException {
    time.after(Duration.ZERO, () -> ran.add("a"));
    assertThat(Rig.next(ran)).isEqualTo("a");
    assertThat(troubles).containsExactly("starting a task: java.lang.OutOfMemoryError: simulated");
  }

  @Test
  void aTaskThatIsCancelledAfterAnErrorDoesNotRun() throws InterruptedException {
    CompletableFuture<Time.Pending> pending = new CompletableFuture<>();
    onTrouble = () -> pending.join().cancel();
    pending.complete(time.after(Duration.ZERO, () -> ran.add("a")));
    assertThat(Rig.next(troubles)).startsWith("starting a task");
    time.after(Duration.ofSeconds(2), () -> ran.add("b"));
    assertThat(Rig.next(ran)).isEqualTo("b");
  }
}
