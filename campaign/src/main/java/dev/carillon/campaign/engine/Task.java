package dev.carillon.campaign.engine;

import dev.carillon.campaign.engine.Workers.Worker;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One invocation: it pauses at each call of a store or queue, and others run meanwhile. */
public final class Task {

  public final int number;
  public final String name;
  private final Steps steps;
  private final Runnable body;
  private final Consumer<Task> onEnd;

  /** When its time-out kills it. */
  final long diesAt;

  /** Calls of this task so far that failed or got no answer. */
  public int disturbances;

  /** The latest that its clock has shown. */
  public long latestClock = Long.MIN_VALUE;

  private @Nullable Worker worker;
  private boolean killed;
  private boolean timedOut;
  private boolean finished;
  private @Nullable RuntimeException failure;

  Task(int number, String name, Steps steps, long diesAt, Runnable body, Consumer<Task> onEnd) {
    this.number = number;
    this.name = name;
    this.steps = steps;
    this.diesAt = diesAt;
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

  /** What came out of it instead of a result. */
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

  /** Nothing that it does from here on has any effect. */
  void kill() {
    killed = true;
  }

  void endIfKilled() {
    if (killed) {
      throw new Killed();
    }
  }

  /** It came out of a function, or was caught and logged there. */
  void saw(Throwable failed) {
    if (!killed && Witness.isFault(failed)) {
      steps.fail(name, failed.toString());
    }
  }

  void performOn(Worker thread) {
    run(thread);
    steps.proceed(thread);
  }

  void run(Worker thread) {
    worker = thread;
    steps.began(this);
    Witness.attend(this);
    try {
      body.run();
    } catch (Killed end) {
      killed = true;
    } catch (CompletionException wrapped) {
      killed |= wrapped.getCause() instanceof Killed;
      failure = killed ? null : wrapped;
    } catch (RuntimeException failed) {
      failure = failed;
      saw(failed);
    } catch (Throwable broken) {
      steps.noteBroken(broken);
    }
    finished = true;
    steps.ended(this, onEnd);
  }
}
