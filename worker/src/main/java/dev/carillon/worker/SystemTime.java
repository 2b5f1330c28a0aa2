package dev.carillon.worker;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time of this machine. One thread waits for the instants of tasks; other threads run the
 * tasks.
 */
final class SystemTime implements Time {

  /** The pause after an error of the JVM, for example if it can start no thread. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ScheduledThreadPoolExecutor alarms =
      new ScheduledThreadPoolExecutor(1, Threads.named("carillon-worker-alarm"));
  private final ExecutorService tasks;
  private final WorkerListener listener;

  SystemTime(WorkerListener listener) {
    this(Executors.newCachedThreadPool(Threads.named("carillon-worker-task")), listener);
  }

  /**
   * @param tasks runs the tasks, and is shut down at the end
   */
  SystemTime(ExecutorService tasks, WorkerListener listener) {
    this.tasks = tasks;
    this.listener = listener;
    alarms.setRemoveOnCancelPolicy(true);
  }

  /** A task that waits for its instant. Once the time is closed, it is dropped. */
  private final class Alarm implements Runnable, Pending {

    private final Runnable task;
    private @Nullable ScheduledFuture<?> next;
    private boolean isCancelled;

    Alarm(Runnable task) {
      this.task = task;
    }

    synchronized void set(Duration delay) {
      if (!isCancelled) {
        next = alarms.schedule(this, Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      }
    }

    @Override
    public void run() {
      try {
        tasks.execute(task);
      } catch (Error fault) {
        // Each heartbeat is planned by the one before, so no task may be lost. The alarm is set
        // before the report, because the report can fail from the same cause.
        set(PAUSE);
        listener.trouble("starting a task", new IllegalStateException(fault));
      }
    }

    @Override
    public synchronized void cancel() {
      isCancelled = true;
      if (next != null) {
        next.cancel(false);
      }
    }
  }

  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public Pending after(Duration delay, Runnable task) {
    Alarm alarm = new Alarm(task);
    alarm.set(delay);
    return alarm;
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
