package dev.carillon.fires;

import static java.util.Objects.requireNonNull;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.time.EndingTimes;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import dev.carillon.trigger.TimeLeaves;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues the fires of timers on the check queue and moves the timers past them.
 *
 * <p>Every step can be repeated: a fire determines the id of its job, and a timer is deleted only
 * after the messages and its successor were accepted.
 */
public final class Expander {

  /** The most fires that one timer hands over at once; its successor continues. */
  static final int MOST_FIRES_PER_TIMER = 1_000;

  /** The most fires that are collected before messages are sent. */
  static final int MOST_FIRES_PER_CHUNK = 20_000;

  /** How many timers the expander decides on before it moves them. */
  private static final int DECIDED_TOGETHER = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Expander.class);

  private final Timers timers;
  private final CheckQueue checks;
  private final @Nullable MissedFires missed;
  private final InstantSource clock;

  /**
   * Expands new timers. A timer that begins in the past may have missed fires, so it is left to the
   * master's expander.
   */
  public Expander(Timers timers, CheckQueue checks, InstantSource clock) {
    this(timers, checks, null, clock);
  }

  /**
   * @param missed decides on missed fires; if null, timers with missed fires are left to the master
   */
  public Expander(
      Timers timers, CheckQueue checks, @Nullable MissedFires missed, InstantSource clock) {
    this.timers = timers;
    this.checks = checks;
    this.missed = missed;
    this.clock = clock;
  }

  /**
   * The timers that a call left.
   *
   * @param hasMore whether a timer had more fires than are handed over at once
   * @param undecided the timers that are unchanged, because their missed fires need a decision
   */
  public record Rest(boolean hasMore, List<Timer> undecided) {}

  /** Expands each timer up to its horizon, with no earlier end. */
  public Rest expand(List<Timer> due, Instant now) {
    return expand(due, timer -> Instant.MAX, now);
  }

  /**
   * Expands each timer up to its horizon as seen from {@code now}. Leaves out timers whose missed
   * fires need a decision. A decision takes by far the longest, and must not delay any other timer.
   *
   * @param ends gives for each timer the instant up to which its fires are handed over
   * @throws RuntimeException if a step was not accepted; timers that were not moved are still
   *     stored
   */
  public Rest expand(List<Timer> due, Function<Timer, Instant> ends, Instant now) {
    Expansion expansion = new Expansion(ends, now);
    Instant missedTo = missed == null ? now.minus(LookAhead.AHEAD) : missed.missedTo(now);
    List<Timer> undecided = new ArrayList<>();
    for (Timer timer : due) {
      if (timer.isUndecided(missedTo)) {
        undecided.add(timer);
      } else {
        expansion
            .planned(timer, (times, end) -> Plan.unchanged(timer, missedTo))
            .ifPresent(expansion::add);
      }
    }
    expansion.move();
    return new Rest(expansion.hasMore, undecided);
  }

  /**
   * Decides on the missed fires of timers, some in parallel, and expands the timers.
   *
   * @param deadline when this deadline has passed, the remaining timers stay unchanged
   * @return the result includes the timers on which no decision was possible
   * @throws RuntimeException as {@link #expand(List, Function, Instant)}
   */
  public Rest decide(
      List<Timer> timers,
      Function<Timer, Instant> ends,
      Instant now,
      Deadline deadline,
      Fanout fanout) {
    Expansion expansion = new Expansion(ends, now);
    List<Timer> undecided = Collections.synchronizedList(new ArrayList<>());
    for (int from = 0; from < timers.size(); from += DECIDED_TOGETHER) {
      List<Timer> part = timers.subList(from, Math.min(timers.size(), from + DECIDED_TOGETHER));
      fanout
          .map(part, timer -> decided(timer, expansion, deadline, undecided))
          .forEach(planned -> planned.ifPresent(expansion::add));
      expansion.move();
    }
    return new Rest(expansion.hasMore, List.copyOf(undecided));
  }

  /**
   * The result is empty if no time was left or the decision failed; the other timers are still
   * expanded.
   */
  private Optional<Planned> decided(
      Timer timer, Expansion expansion, Deadline deadline, List<Timer> undecided) {
    try {
      if (!deadline.hasPassed()) {
        return expansion.planned(
            timer, (times, end) -> requireNonNull(missed).decide(timer, times, end, expansion.now));
      }
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not decide on the missed fires of {}; the next tick decides",
          timer.id(),
          unavailable);
    }
    undecided.add(timer);
    return Optional.empty();
  }

  /** A timer, and which of its fires are handed over. */
  private record Planned(Timer timer, FireTimes times, Plan plan) {}

  /** The timers of one call, moved in chunks. */
  private final class Expansion {
    private final Function<Timer, Instant> ends;
    private final Instant now;
    private Chunk chunk = new Chunk();
    private boolean hasMore;

    Expansion(Function<Timer, Instant> ends, Instant now) {
      this.ends = ends;
      this.now = now;
    }

    /** Empty if the timer is damaged. */
    Optional<Planned> planned(Timer timer, BiFunction<FireTimes, Instant, Plan> plan) {
      Instant end = ends.apply(timer);
      return readable(timer)
          .map(times -> EndingTimes.of(times, end))
          .map(times -> new Planned(timer, times, plan.apply(times, end)));
    }

    void add(Planned planned) {
      chunk.add(planned.timer(), planned.times(), planned.plan(), now);
      if (chunk.fires.size() >= MOST_FIRES_PER_CHUNK) {
        move();
      }
    }

    void move() {
      hasMore |= Expander.this.move(chunk, now);
      chunk = new Chunk();
    }
  }

  /**
   * Reads a timer. The result is empty if the timer is damaged; the other timers are still
   * expanded.
   */
  private static Optional<FireTimes> readable(Timer timer) {
    try {
      return Optional.of(TimeLeaves.ofTimerDocument(timer.id(), timer.leafDocument()));
    } catch (RuntimeException damaged) {
      LOG.error(
          "the timer of leaf {} of {} cannot be read, so its fires are not handed over; store the schedule again",
          timer.leaf(),
          timer.id(),
          damaged);
      return Optional.empty();
    }
  }

  private boolean move(Chunk chunk, Instant now) {
    if (chunk.expanded.isEmpty()) {
      return false;
    }
    Instant sentAt = clock.instant();
    checks.send(Check.of(chunk.fires, sentAt), sentAt);
    timers.put(List.copyOf(chunk.successors.values()));
    timers.delete(
        chunk.expanded.stream()
            .filter(timer -> !chunk.successors.containsKey(timer.key()))
            .toList());
    Instant selectionEnd = LookAhead.selectionEnd(now);
    return chunk.successors.keySet().stream().anyMatch(key -> !key.dueAt().isAfter(selectionEnd));
  }

  /** Timers and fires that are handed over together. */
  private static final class Chunk {
    final List<Timer> expanded = new ArrayList<>();
    final List<Wakeup> fires = new ArrayList<>();
    final Map<Timer.Key, Timer> successors = new LinkedHashMap<>();

    void add(Timer timer, FireTimes times, Plan plan, Instant now) {
      plan.skipped().ifPresent(first -> fires.add(new Wakeup(first, first.at())));
      Instant horizon = LookAhead.horizon(timer.id(), now);
      Optional<Instant> fire = plan.next();
      int handedOver = 0;
      while (fire.isPresent()
          && plan.handsOver(fire.get())
          && !fire.get().isAfter(horizon)
          && handedOver++ < MOST_FIRES_PER_TIMER) {
        fires.add(timer.wakeupAt(fire.get()));
        fire = times.next(fire.get()).map(Fire::at);
      }
      fire.map(next -> timer.decided(next, plan.decidedTo()))
          .ifPresent(successor -> successors.put(successor.key(), successor));
      expanded.add(timer);
    }
  }
}
