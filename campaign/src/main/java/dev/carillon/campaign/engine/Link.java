package dev.carillon.campaign.engine;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The simulated connection of a function to its stores and queues. Every call passes through it,
 * takes virtual time and can be hit by a fault.
 */
public final class Link {

  private final Simulator simulator;
  private final FaultPlan faults;
  private final SeededRandom random;
  private final Trace trace;
  private final boolean recognisesOwnWrites;
  private Runnable afterCall = () -> {};
  private Runnable afterWrite = () -> {};
  private ToLongFunction<String> latency;

  /**
   * @param recognisesOwnWrites whether a client that repeats a write recognizes that the first one
   *     succeeded
   */
  public Link(
      Simulator simulator,
      FaultPlan faults,
      SeededRandom random,
      Trace trace,
      boolean recognisesOwnWrites) {
    this.simulator = simulator;
    this.faults = faults;
    this.random = random;
    this.trace = trace;
    this.recognisesOwnWrites = recognisesOwnWrites;
    this.latency = call -> faults.latency();
  }

  public Simulator simulator() {
    return simulator;
  }

  public FaultPlan faults() {
    return faults;
  }

  public SeededRandom random() {
    return random;
  }

  public Trace trace() {
    return trace;
  }

  /**
   * Sets how long calls take, in place of the usual few milliseconds.
   *
   * @param millis the milliseconds that a call takes in one direction, by its name
   */
  public void takeTime(ToLongFunction<String> millis) {
    latency = millis;
  }

  /** Sets an action that runs after every call took effect. */
  public void afterEachCall(Runnable action) {
    afterCall = action;
  }

  /** Sets an action that runs after every write took effect. */
  public void afterEachWrite(Runnable action) {
    afterWrite = action;
  }

  public <T> T read(String name, Object subject, Supplier<T> effect) {
    return call(name, subject, faults.outcome(false, false, false), effect, effect);
  }

  public <T> T write(String name, Object subject, Supplier<T> effect) {
    Supplier<T> observed = observed(effect);
    return call(name, subject, faults.outcome(true, false, false), observed, observed);
  }

  /**
   * @param repeat the second write of the client, after the reply to the first write was lost
   */
  public <T> T conditional(String name, Object subject, Supplier<T> effect, Supplier<T> repeat) {
    return call(
        name, subject, faults.outcome(true, true, false), observed(effect), observed(repeat));
  }

  private <T> Supplier<T> observed(Supplier<T> write) {
    return () -> {
      T answer = write.get();
      afterWrite.run();
      return answer;
    };
  }

  /** Counts a lost race. */
  public boolean countLostRace(boolean won) {
    if (!won) {
      faults.count(FaultKind.LOST_RACE);
    }
    return won;
  }

  /**
   * Whether a stored object is the caller's own write. The identity of the object stands for the
   * token that each write leaves in its item.
   */
  @SuppressWarnings("ReferenceEquality")
  public boolean isOwn(Object written, @Nullable Object present) {
    return recognisesOwnWrites && written == present;
  }

  private <T> T call(
      String name, Object subject, CallOutcome outcome, Supplier<T> effect, Supplier<T> repeat) {
    simulator.pause(latency.applyAsLong(name));
    failBefore(name, subject, outcome);
    T answer = effect.get();
    afterCall.run();
    trace.add(
        simulator.now(), () -> caller() + name + " " + subject + " = " + answer + suffix(outcome));
    simulator.pause(latency.applyAsLong(name));
    failAfter(name, outcome);
    if (outcome == CallOutcome.REPLY_LOST) {
      simulator.pause(faults.millis(20, 3_000));
      T repeated = repeat.get();
      if (!repeated.equals(answer)) {
        simulator.current().unrecognised.add(name);
      }
      return repeated;
    }
    return answer;
  }

  private static String suffix(CallOutcome outcome) {
    return outcome == CallOutcome.SUCCESS ? "" : " -- " + outcome;
  }

  private String caller() {
    Task task = simulator.current();
    return task.name + "#" + task.number + " ";
  }

  private void failBefore(String name, Object subject, CallOutcome outcome) {
    if (outcome == CallOutcome.KILL_BEFORE) {
      trace.add(simulator.now(), () -> caller() + name + " " + subject + " -- killed before");
      die();
    }
    if (outcome == CallOutcome.FAIL_BEFORE || outcome == CallOutcome.CONFLICT) {
      trace.add(simulator.now(), () -> caller() + name + " " + subject + " -- refused");
      simulator.current().failedCalls++;
      throw new Unavailable(name, true);
    }
  }

  private void failAfter(String name, CallOutcome outcome) {
    if (outcome == CallOutcome.KILL_AFTER) {
      die();
    }
    if (outcome == CallOutcome.FAIL_AFTER || outcome == CallOutcome.PARTIAL) {
      simulator.current().failedCalls++;
      throw new Unavailable(name, false);
    }
  }

  private void die() {
    simulator.current().kill();
    simulator.current().endIfKilled();
  }

  /** Makes independent writes in any order; a failure is thrown at the end. */
  public <T> void each(String name, List<T> items, Consumer<T> effect) {
    if (items.isEmpty()) {
      return;
    }
    CallOutcome outcome = faults.outcome(true, false, items.size() > 1);
    simulator.pause(latency.applyAsLong(name));
    failBefore(name, items, outcome);
    List<T> order = random.shuffled(items);
    int done = outcome == CallOutcome.PARTIAL ? random.below(items.size()) : items.size();
    for (int i = 0; i < done; i++) {
      if (i > 0 && random.oneIn(4)) {
        simulator.pause(random.between(0, 5));
      }
      effect.accept(order.get(i));
      afterWrite.run();
      T item = order.get(i);
      trace.add(simulator.now(), () -> caller() + name + " " + item + suffix(outcome));
    }
    simulator.pause(latency.applyAsLong(name));
    failAfter(name, outcome);
  }
}
