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
 * The one scheduler of an episode: virtual time, and which task goes on next. What is due at the
 * same millisecond comes in an order that follows from the seed.
 */
public final class Steps {

  private static final Comparator<Step> ORDER =
      Comparator.comparingLong(Step::at).thenComparingLong(Step::order);

  private final PriorityQueue<Step> queue = new PriorityQueue<>(ORDER);
  private final Workers workers;
  private final Chance chance;
  private final List<Task> live = new ArrayList<>();
  private final Task end;
  private long now;
  private int tasks;
  private boolean isOver;
  private @Nullable Task current;
  private @Nullable Throwable broken;
  private final Set<Violation> failures = new LinkedHashSet<>();

  private record Step(long at, long order, @Nullable Task task, @Nullable Runnable action) {}

  public Steps(Workers workers, Chance chance, long start) {
    this.workers = workers;
    this.chance = chance;
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

  /** Has something done at once when it is time. */
  public void at(long millis, Runnable action) {
    queue.add(new Step(Math.max(millis, now), chance.any(), null, action));
  }

  /** Begins a task. {@code onEnd} is told when it is over, however that came. */
  public void begin(String name, long timeout, Runnable body, Consumer<Task> onEnd) {
    Task task = new Task(++tasks, name, this, now + timeout, body, onEnd);
    queue.add(new Step(now, chance.any(), task, null));
  }

  /** Lets time pass for the task that is running. */
  public void pause(long millis) {
    Task self = current();
    self.endIfKilled();
    boolean dies = now + millis >= self.diesAt;
    long until = dies ? self.diesAt : now + millis;
    Step first = queue.peek();
    if (first == null || first.at() > until) {
      now = Math.max(now, until);
    } else {
      queue.add(new Step(until, chance.any(), self, null));
      loop(self, self.worker());
    }
    if (dies) {
      self.timeOut();
    }
    self.endIfKilled();
  }

  /** Runs until {@code millis}; then whatever still runs is killed without a trace. */
  public void run(long millis) {
    Worker here = Worker.here();
    end.run(here);
    queue.add(new Step(millis, Long.MAX_VALUE, end, null));
    loop(end, here);
    isOver = true;
    queue.clear();
    for (Task task : live) {
      task.kill();
      queue.add(new Step(now, 0, task, null));
    }
    queue.add(new Step(now, Long.MAX_VALUE, end, null));
    loop(end, here);
    if (broken != null) {
      throw new IllegalStateException("the simulation is broken", broken);
    }
  }

  void proceed(Worker thread) {
    loop(null, thread);
  }

  /** Returns when it is the turn of {@code self}, or without one when another has the baton. */
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
      workers.rest(thread);
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
    if (!isOver && task != end) {
      try {
        onEnd.accept(task);
      } catch (RuntimeException | Error fault) {
        noteBroken(fault);
      }
    }
  }

  /** Notes that something failed as it should not. */
  public void fail(String about, String what) {
    if (!isOver) {
      failures.add(new Violation(about, what));
    }
  }

  public Set<Violation> failures() {
    return failures;
  }

  /** Keeps the first fault of the simulation itself. */
  void noteBroken(Throwable fault) {
    if (broken == null) {
      broken = fault;
    }
  }
}
