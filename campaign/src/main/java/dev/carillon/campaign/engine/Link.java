package dev.carillon.campaign.engine;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of every call from a function to a store or queue: where time passes and faults strike.
 */
public final class Link {

  private final Steps steps;
  private final FaultPlan faults;
  private final Chance chance;
  private final Trace trace;
  private final boolean recognisesOwnWrites;
  private Runnable watch = () -> {};

  /**
   * @param recognisesOwnWrites whether a client that repeats a write finds out that it was made
   */
  public Link(
      Steps steps, FaultPlan faults, Chance chance, Trace trace, boolean recognisesOwnWrites) {
    this.steps = steps;
    this.faults = faults;
    this.chance = chance;
    this.trace = trace;
    this.recognisesOwnWrites = recognisesOwnWrites;
  }

  public Steps steps() {
    return steps;
  }

  public FaultPlan faults() {
    return faults;
  }

  public Chance chance() {
    return chance;
  }

  public Trace trace() {
    return trace;
  }

  /** Has somebody look after every call. */
  public void watch(Runnable look) {
    watch = look;
  }

  public <T> T read(String name, Object subject, Supplier<T> effect) {
    return call(name, subject, faults.outcome(false, false, false), effect, effect);
  }

  public <T> T write(String name, Object subject, Supplier<T> effect) {
    return call(name, subject, faults.outcome(true, false, false), effect, effect);
  }

  /**
   * @param repeat what the client makes of the write when the reply was lost and it writes again
   */
  public <T> T conditional(String name, Object subject, Supplier<T> effect, Supplier<T> repeat) {
    return call(name, subject, faults.outcome(true, true, false), effect, repeat);
  }

  /** Counts the races that others have won. */
  public boolean counted(boolean won) {
    if (!won) {
      faults.count(FaultKind.LOST_RACE);
    }
    return won;
  }

  /** The very same object stands for the token that each write leaves in its item. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isOwn(Object written, @Nullable Object present) {
    return recognisesOwnWrites && written == present;
  }

  private <T> T call(
      String name, Object subject, CallOutcome outcome, Supplier<T> effect, Supplier<T> repeat) {
    steps.pause(faults.latency());
    beforehand(name, subject, outcome);
    T answer = effect.get();
    watch.run();
    trace.add(steps.now(), () -> who() + name + " " + subject + " = " + answer + tell(outcome));
    steps.pause(faults.latency());
    afterwards(name, outcome);
    if (outcome == CallOutcome.REPLY_LOST) {
      steps.pause(faults.millis(20, 3_000));
      return repeat.get();
    }
    return answer;
  }

  private static String tell(CallOutcome outcome) {
    return outcome == CallOutcome.WELL ? "" : " -- " + outcome;
  }

  private String who() {
    Task task = steps.current();
    return task.name + "#" + task.number + " ";
  }

  private void beforehand(String name, Object subject, CallOutcome outcome) {
    if (outcome == CallOutcome.KILL_BEFORE) {
      trace.add(steps.now(), () -> who() + name + " " + subject + " -- killed before");
      die();
    }
    if (outcome == CallOutcome.FAIL_BEFORE || outcome == CallOutcome.CONFLICT) {
      trace.add(steps.now(), () -> who() + name + " " + subject + " -- refused");
      steps.current().disturbances++;
      throw new Unavailable(name, true);
    }
  }

  private void afterwards(String name, CallOutcome outcome) {
    if (outcome == CallOutcome.KILL_AFTER) {
      die();
    }
    if (outcome == CallOutcome.FAIL_AFTER || outcome == CallOutcome.PARTIAL) {
      steps.current().disturbances++;
      throw new Unavailable(name, false);
    }
  }

  private void die() {
    steps.current().kill();
    steps.current().endIfKilled();
  }

  /**
   * Independent writes that go out together, in any order; a failure of one is thrown at the end.
   */
  public <T> void each(String name, List<T> items, Consumer<T> effect) {
    if (items.isEmpty()) {
      return;
    }
    CallOutcome outcome = faults.outcome(true, false, items.size() > 1);
    steps.pause(faults.latency());
    beforehand(name, items, outcome);
    List<T> order = chance.shuffled(items);
    int done = outcome == CallOutcome.PARTIAL ? chance.below(items.size()) : items.size();
    for (int i = 0; i < done; i++) {
      if (i > 0 && chance.oneIn(4)) {
        steps.pause(chance.between(0, 5));
      }
      effect.accept(order.get(i));
      T item = order.get(i);
      trace.add(steps.now(), () -> who() + name + " " + item + tell(outcome));
    }
    steps.pause(faults.latency());
    afterwards(name, outcome);
  }
}
