package dev.carillon.campaign;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of every call from a function to a store or queue: where time passes and faults strike.
 */
final class Link {

  private final Steps steps;
  private final Weather weather;
  private final Chance chance;
  private final Trace trace;
  private final boolean recognisesOwnWrites;
  private Runnable watch = () -> {};

  /**
   * @param recognisesOwnWrites whether a client that repeats a write finds out that it was made
   */
  Link(Steps steps, Weather weather, Chance chance, Trace trace, boolean recognisesOwnWrites) {
    this.steps = steps;
    this.weather = weather;
    this.chance = chance;
    this.trace = trace;
    this.recognisesOwnWrites = recognisesOwnWrites;
  }

  Steps steps() {
    return steps;
  }

  Weather weather() {
    return weather;
  }

  Chance chance() {
    return chance;
  }

  Trace trace() {
    return trace;
  }

  /** Has somebody look after every call. */
  void watch(Runnable look) {
    watch = look;
  }

  <T> T read(String name, Object subject, Supplier<T> effect) {
    return call(name, subject, weather.fate(false, false, false), effect, effect);
  }

  <T> T write(String name, Object subject, Supplier<T> effect) {
    return call(name, subject, weather.fate(true, false, false), effect, effect);
  }

  /**
   * @param repeat what the client makes of the write when the reply was lost and it writes again
   */
  <T> T conditional(String name, Object subject, Supplier<T> effect, Supplier<T> repeat) {
    return call(name, subject, weather.fate(true, true, false), effect, repeat);
  }

  /** Counts the races that others have won. */
  boolean counted(boolean won) {
    if (!won) {
      weather.count(FaultKind.LOST_RACE);
    }
    return won;
  }

  /** The very same object stands for the token that each write leaves in its item. */
  @SuppressWarnings("ReferenceEquality")
  boolean isOwn(Object written, @Nullable Object present) {
    return recognisesOwnWrites && written == present;
  }

  private <T> T call(
      String name, Object subject, Fate fate, Supplier<T> effect, Supplier<T> repeat) {
    steps.pause(weather.latency());
    beforehand(name, subject, fate);
    T answer = effect.get();
    watch.run();
    trace.add(steps.now(), () -> who() + name + " " + subject + " = " + answer + tell(fate));
    steps.pause(weather.latency());
    afterwards(name, fate);
    if (fate == Fate.REPLY_LOST) {
      steps.pause(weather.millis(20, 3_000));
      return repeat.get();
    }
    return answer;
  }

  private static String tell(Fate fate) {
    return fate == Fate.WELL ? "" : " -- " + fate;
  }

  private String who() {
    Task task = steps.current();
    return task.name + "#" + task.number + " ";
  }

  private void beforehand(String name, Object subject, Fate fate) {
    if (fate == Fate.KILL_BEFORE) {
      trace.add(steps.now(), () -> who() + name + " " + subject + " -- killed before");
      die();
    }
    if (fate == Fate.FAIL_BEFORE || fate == Fate.CONFLICT) {
      trace.add(steps.now(), () -> who() + name + " " + subject + " -- refused");
      steps.current().disturbances++;
      throw new Unavailable(name, true);
    }
  }

  private void afterwards(String name, Fate fate) {
    if (fate == Fate.KILL_AFTER) {
      die();
    }
    if (fate == Fate.FAIL_AFTER || fate == Fate.PARTIAL) {
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
  <T> void each(String name, List<T> items, Consumer<T> effect) {
    if (items.isEmpty()) {
      return;
    }
    Fate fate = weather.fate(true, false, items.size() > 1);
    steps.pause(weather.latency());
    beforehand(name, items, fate);
    List<T> order = chance.shuffled(items);
    int done = fate == Fate.PARTIAL ? chance.below(items.size()) : items.size();
    for (int i = 0; i < done; i++) {
      if (i > 0 && chance.oneIn(4)) {
        steps.pause(chance.between(0, 5));
      }
      effect.accept(order.get(i));
      T item = order.get(i);
      trace.add(steps.now(), () -> who() + name + " " + item + tell(fate));
    }
    steps.pause(weather.latency());
    afterwards(name, fate);
  }
}
