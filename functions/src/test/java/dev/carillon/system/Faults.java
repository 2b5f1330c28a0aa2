package dev.carillon.system;

import dev.carillon.master.StatusStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Counts every call to a store or queue, except for the configured number of shards. Crashes the
 * process right before or right after a chosen call, or makes a chosen call fail.
 */
public final class Faults {

  /** The process has crashed; only the world catches this. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A store or queue that cannot be reached. */
  static final class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unavailable(String call) {
      super(call + " is unavailable");
    }
  }

  /** What happens at the chosen call. */
  enum Kind {
    KILL_BEFORE,
    KILL_AFTER,
    FAIL_BEFORE,
    FAIL_AFTER
  }

  /** The calls that change nothing. Any other call is taken for one that does. */
  private static final Set<String> READS =
      Set.of(
          "Schedules.heads",
          "Schedules.recentHeads",
          "Schedules.forLaunch",
          "Schedules.find",
          "Schedules.definitions",
          "Schedules.recentDefinitions",
          "Schedules.former",
          "Schedules.list",
          "Schedules.ofApp",
          "Schedules.withEventKey",
          "Schedules.indexShows",
          "Schedules.walk",
          "Calendars.find",
          "Timers.due",
          "Timers.isEmpty",
          "Timers.missing",
          "Jobs.find",
          "Jobs.ofSchedule",
          "Jobs.skippedUpTo",
          "Jobs.needingAttention",
          "Jobs.isAttentionEmpty",
          "Jobs.countUnfinished",
          "Jobs.suspendedJobs",
          "Jobs.collectingJob",
          "Backfills.backfills",
          "Backfills.openBackfills",
          "Gates.find",
          "Gates.finding",
          "Gates.holders",
          "Gates.isAttentionEmpty",
          "Gates.needingAttention",
          "Gates.slots",
          "Gates.slotsApart",
          "Gates.waiters",
          "Pools.activity",
          "Pools.count",
          "Pools.find",
          "Pools.matching",
          "Pools.pull",
          "Pools.rows",
          "Pools.state",
          "StatusStore.read",
          "StatusStore.shards",
          "TargetQueues.waiting");

  private final List<String> calls = new ArrayList<>();
  private Runnable beforeCall = () -> {};
  private Runnable afterCall = () -> {};
  private final Set<String> down = new HashSet<>();
  private int chosen = -1;
  private Kind kind = Kind.KILL_BEFORE;

  void choose(int call, Kind what) {
    chosen = call;
    kind = what;
  }

  /** Runs a step before and after each call to a store or queue. */
  void around(Runnable before, Runnable after) {
    beforeCall = before;
    afterCall = after;
  }

  /** Runs a step once, after the next such call. */
  void afterNext(String call, Runnable step) {
    around(
        () -> {},
        () -> {
          if (calls.get(calls.size() - 1).equals(call)) {
            around(() -> {}, () -> {});
            step.run();
          }
        });
  }

  /** Makes every such call fail from now on. */
  public void failAll(String call) {
    down.add(call);
  }

  /** Makes only the chosen call fail from now on. */
  public void heal() {
    down.clear();
  }

  /** The calls so far, in order, by name. */
  List<String> calls() {
    return calls;
  }

  /**
   * The numbers of the calls at which a fault leaves what no other fault leaves. A function that is
   * killed at a read leaves the same as one that is killed at the write before or after it, and a
   * read that fails changes nothing, before it or after it.
   */
  List<Integer> callsToTry(Kind fault) {
    return IntStream.range(0, calls.size())
        .filter(call -> fault == Kind.FAIL_BEFORE || !READS.contains(calls.get(call)))
        .boxed()
        .toList();
  }

  <T> T on(Class<T> port, T real) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          String name = port.getSimpleName() + "." + method.getName();
          if (port != StatusStore.class
              && method.getName().toLowerCase(Locale.ROOT).endsWith("shards")) {
            return invoke(real, method, arguments);
          }
          beforeCall.run();
          boolean isChosen = calls.size() == chosen;
          calls.add(name);
          if (down.contains(name)) {
            throw new Unavailable(name);
          }
          if (isChosen && kind == Kind.KILL_BEFORE) {
            throw new Killed();
          }
          if (isChosen && kind == Kind.FAIL_BEFORE) {
            throw new Unavailable(name);
          }
          Object answer = invoke(real, method, arguments);
          afterCall.run();
          if (isChosen && kind == Kind.KILL_AFTER) {
            throw new Killed();
          }
          if (isChosen && kind == Kind.FAIL_AFTER) {
            throw new Unavailable(name);
          }
          return answer;
        };
    return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
  }

  private static Object invoke(Object real, java.lang.reflect.Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
