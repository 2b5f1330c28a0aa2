package dev.carillon.worker;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The time of this machine. One thread waits for the instants of tasks; other threads run the
 * tasks.
 */
final class SystemTime implements Time {

  private final ScheduledThreadPoolExecutor alarms =
      new ScheduledThreadPoolExecutor(1, Threads.named("carillon-worker-alarm"));
  private final ExecutorService tasks =
      Executors.newCachedThreadPool(Threads.named("carillon-worker-task"));

  SystemTime() {
    alarms.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public Pending after(Duration delay, Runnable task) {
    ScheduledFuture<?> alarm =
        alarms.schedule(
            () -> tasks.execute(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> alarm.cancel(false);
  }

  /** Needs no alarm, because {@link #close} drops the alarms, and would leave the thread asleep. */
  @Override
  public void sleep(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }

  @Override
  public void close() {
    alarms.shutdownNow();
    tasks.shutdownNow();
  }
}
