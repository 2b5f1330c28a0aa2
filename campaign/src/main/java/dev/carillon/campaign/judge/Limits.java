package dev.carillon.campaign.judge;

import java.time.DayOfWeek;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The program of a schedule, and the limits on its launches.
 *
 * @param program the program; empty for the schedule's own
 * @param ends how the ends of the program's runs are reported
 */
public record Limits(String program, Ends ends, List<Limit> all) {

  public static final Limits NONE = new Limits("", Ends.NONE, List.of());

  public Limits {
    all = List.copyOf(all);
  }

  /** How the ends of a program's runs are reported. */
  public enum Ends {
    /** The ends are not reported, and no limit counts unfinished runs. */
    NONE,
    /** Each report names its run. */
    NAMED,
    /** Reports name only the program. */
    UNNAMED
  }

  /** One constraint. */
  public sealed interface Limit {
    /** Whether a job ends instead of waiting. */
    boolean skips();

    /** Whether it counts unfinished runs. */
    default boolean countsRuns() {
      return false;
    }
  }

  /** The place of a schedule's jobs in a pool. */
  public record InPool(String customer, int priority) implements Limit {
    @Override
    public boolean skips() {
      return false;
    }
  }

  /** A limit on the launches of the program, or of all programs of a group. */
  public sealed interface GateLimit extends Limit {
    /** The group; empty if the limit is that of the program. */
    String group();
  }

  /** At most {@code max} launches in any interval of {@code per} milliseconds. */
  public record RateLimit(int max, long per, String group, boolean skips) implements GateLimit {}

  /** At most {@code max} unfinished runs. */
  public record RunLimit(int max, String group, boolean skips) implements GateLimit {
    @Override
    public boolean countsRuns() {
      return true;
    }
  }

  /**
   * No unfinished run, and at least the duration since the end of the last successful one.
   *
   * @param duration milliseconds
   */
  public record Pause(long duration, boolean skips) implements GateLimit {
    @Override
    public String group() {
      return "";
    }

    @Override
    public boolean countsRuns() {
      return true;
    }
  }

  /**
   * A daily window of local time.
   *
   * @param from the second of the day at which it opens
   * @param to the second of the day at which it closes; before {@code from} if it crosses midnight
   * @param days the days on which it opens
   */
  public record Window(int from, int to, String zone, Set<DayOfWeek> days, boolean skips)
      implements Limit {
    public Window {
      days = Collections.unmodifiableSet(new TreeSet<>(days));
    }
  }

  /** Whether a limit counts the unfinished runs of the program. */
  boolean countsRuns() {
    return all.stream().anyMatch(Limit::countsRuns);
  }

  /** Whether its jobs may wait for others. */
  boolean queues() {
    return all.stream().anyMatch(it -> it instanceof GateLimit || it instanceof InPool);
  }

  /** The place in a pool; null for none. */
  public @Nullable InPool pool() {
    return of(InPool.class).stream().findFirst().orElse(null);
  }

  /**
   * The first instant, from a given one on, at which all windows that make jobs wait are open;
   * NEVER if there is none.
   */
  long opening(long from) {
    long at = from;
    for (Window window : of(Window.class)) {
      at = window.skips() || at == History.NEVER ? at : WindowTimes.opening(window, at);
    }
    return at;
  }

  /** The limits of one kind. */
  <L extends Limit> List<L> of(Class<L> kind) {
    return all.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
