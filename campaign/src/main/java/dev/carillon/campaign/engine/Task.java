package dev.carillon.campaign.engine;

import dev.carillon.campaign.engine.Workers.Worker;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One invocation of a function. It pauses at each call of a store or queue, and other tasks run
 * meanwhile.
 */
public final class Task {

  public final int number;
  public final String name;
  private final Simulator simulator;
  private final Runnable body;
  private final Consumer<Task> onEnd;

  /** The instant at which the time-out kills the task. */
  final long timesOutAt;

  /** How many calls of this task have failed or got no answer so far. */
  public int failedCalls;

  /**
   * The names of the writes that took effect, but of which the task believes that another one came
   * before them: the reply was lost, and another task wrote before the client repeated the write.
   */
  public final Set<String> unrecognised = new HashSet<>();

  /** Whether the task has made a call that writes. */
  boolean hasWritten;

  /** The latest instant that the clock of the task has shown. */
  public long latestClock = Long.MIN_VALUE;

  private @Nullable Worker worker;
  private boolean killed;
  private boolean timedOut;
  private boolean finished;
  private @Nullable RuntimeException failure;

  Task(
      int number,
      String name,
      Simulator simulator,
      long timesOutAt,
      Runnable body,
      Consumer<Task> onEnd) {
    this.number = number;
    this.name = name;
    this.simulator = simulator;
    this.timesOutAt = timesOutAt;
    this.body = body;
    this.onEnd = onEnd;
  }

  boolean hasBegun() {
    return worker != null;
  }

  public boolean isFinished() {
    return finished;
  }

  public boolean isKilled() {
    return killed;
  }

  /** The exception that the invocation threw; null if it returned. */
  public @Nullable RuntimeException failure() {
    return failure;
  }

  Worker worker() {
    if (worker == null) {
      throw new IllegalStateException(name + " has not begun");
    }
    return worker;
  }

  public boolean hasTimedOut() {
    return timedOut;
  }

  void timeOut() {
    timedOut = true;
    killed = true;
  }

  /** Kills the task: nothing that it does from now on takes effect. */
  void kill() {
    killed = true;
  }

  void endIfKilled() {
    if (killed) {
      throw new Killed();
    }
  }

  /** Records an exception that a function threw, or caught and logged. */
  void recordFailure(Throwable failed) {
    if (!killed && LogCapture.isFault(failed)) {
      simulator.fail(name, failed.toString());
    }
  }

  void performOn(Worker thread) {
    run(thread);
    simulator.proceed(thread);
  }

  void run(Worker thread) {
    worker = thread;
    simulator.began(this);
    LogCapture.bind(this);
    try {
      body.run();
    } catch (Killed end) {
      killed = true;
    } catch (CompletionException wrapped) {
      killed |= wrapped.getCause() instanceof Killed;
      failure = killed ? null : wrapped;
    } catch (RuntimeException failed) {
      failure = failed;
      recordFailure(failed);
    } catch (Throwable broken) {
      simulator.noteBroken(broken);
    }
    finished = true;
    simulator.ended(this, onEnd);
  }
}
