package dev.carillon.campaign.engine;

import dev.carillon.campaign.engine.Workers.Worker;
import dev.carillon.campaign.judge.History.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The discrete-event simulator of an episode. It owns virtual time and decides which task continues
 * next. The seed determines the order of steps that are due in the same millisecond.
 */
public final class Simulator {

  private static final Comparator<Step> ORDER =
      Comparator.comparingLong(Step::at).thenComparingLong(Step::order);

  private final PriorityQueue<Step> queue = new PriorityQueue<>(ORDER);
  private final Workers workers;
  private final SeededRandom random;
  private final List<Task> live = new ArrayList<>();
  private final Task end;
  private long now;
  private int tasks;
  private boolean hasEnded;
  private @Nullable Task current;
  private @Nullable Throwable broken;
  private final Set<Violation> failures = new LinkedHashSet<>();

  private record Step(long at, long order, @Nullable Task task, @Nullable Runnable action) {}

  public Simulator(Workers workers, SeededRandom random, long start) {
    this.workers = workers;
    this.random = random;
    this.now = start;
    this.end = new Task(0, "end", this, Long.MAX_VALUE, () -> {}, task -> {});
  }

  public long now() {
    return now;
  }

  public Task current() {
    if (current == null) {
      throw new IllegalStateException("no task is running");
    }
    return current;
  }

  /** Runs an action at an instant; the action takes no virtual time. */
  public void at(long millis, Runnable action) {
    queue.add(new Step(Math.max(millis, now), random.any(), null, action));
  }

  /**
   * Starts a task. {@code onEnd} receives it when it has ended, whether it returned, failed or was
   * killed.
   */
  public void begin(String name, long timeout, Runnable body, Consumer<Task> onEnd) {
    Task task = new Task(++tasks, name, this, now + timeout, body, onEnd);
    queue.add(new Step(now, random.any(), task, null));
  }

  /** Lets virtual time pass for the running task. */
  public void pause(long millis) {
    Task self = current();
    self.endIfKilled();
    boolean timesOut = now + millis >= self.timesOutAt;
    long until = timesOut ? self.timesOutAt : now + millis;
    Step first = queue.peek();
    if (first == null || first.at() > until) {
      now = Math.max(now, until);
    } else {
      queue.add(new Step(until, random.any(), self, null));
      loop(self, self.worker());
    }
    if (timesOut) {
      self.timeOut();
    }
    self.endIfKilled();
  }

  /** Runs until {@code millis}; then kills all tasks that still run. */
  public void run(long millis) {
    Worker here = Worker.here();
    end.run(here);
    queue.add(new Step(millis, Long.MAX_VALUE, end, null));
    loop(end, here);
    hasEnded = true;
    queue.clear();
    for (Task task : live) {
      task.kill();
      queue.add(new Step(now, 0, task, null));
    }
    queue.add(new Step(now, Long.MAX_VALUE, end, null));
    loop(end, here);
    if (broken != null) {
      throw new IllegalStateException("the simulation itself failed", broken);
    }
  }

  void proceed(Worker thread) {
    loop(null, thread);
  }

  /**
   * Runs steps until the task {@code self} continues. If {@code self} is null, returns when another
   * thread has the baton.
   */
  private void loop(@Nullable Task self, Worker thread) {
    while (true) {
      Step step = queue.remove();
      now = Math.max(now, step.at());
      Task next = step.task();
      if (next == null) {
        act(step);
      } else if (next == self) {
        current = self;
        return;
      } else if (self == null && !next.hasBegun()) {
        next.run(thread);
      } else {
        handOver(next, self, thread);
        return;
      }
    }
  }

  private void handOver(Task next, @Nullable Task self, Worker thread) {
    if (self == null) {
      workers.release(thread);
    }
    if (next.hasBegun()) {
      next.worker().passBaton();
    } else {
      workers.begin(next);
    }
    if (self != null) {
      thread.awaitBaton();
      current = self;
    }
  }

  private void act(Step step) {
    try {
      if (step.action() != null) {
        current = null;
        step.action().run();
      }
    } catch (RuntimeException | Error fault) {
      noteBroken(fault);
    }
  }

  void began(Task task) {
    current = task;
    if (task != end) {
      live.add(task);
    }
  }

  void ended(Task task, Consumer<Task> onEnd) {
    live.remove(task);
    current = null;
    if (!hasEnded && task != end) {
      try {
        onEnd.accept(task);
      } catch (RuntimeException | Error fault) {
        noteBroken(fault);
      }
    }
  }

  /** Records an unexpected failure. */
  public void fail(String about, String what) {
    if (!hasEnded) {
      failures.add(new Violation(about, what));
    }
  }

  public Set<Violation> failures() {
    return failures;
  }

  /** Records a fault of the simulation itself; only the first is kept. */
  void noteBroken(Throwable fault) {
    if (broken == null) {
      broken = fault;
    }
  }
}
