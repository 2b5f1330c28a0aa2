package dev.carillon.fires;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.fires.MissedFires.Plan;
import dev.carillon.runtime.Deadline;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static final Logger LOG = LoggerFactory.getLogger(Expander.class);

  private final Timers timers;
  private final CheckQueue checks;
  private final @Nullable MissedFires missed;
  private final InstantSource clock;

  /**
   * For new timers. A timer that begins in the past can have missed fires; it is left to the
   * master's expander.
   */
  public Expander(Timers timers, CheckQueue checks, InstantSource clock) {
    this(timers, checks, null, clock);
  }

  /**
   * @param missed decides on missed fires; null to leave such timers to the master
   */
  public Expander(
      Timers timers, CheckQueue checks, @Nullable MissedFires missed, InstantSource clock) {
    this.timers = timers;
    this.checks = checks;
    this.missed = missed;
    this.clock = clock;
  }

  /** Expands timers without a deadline, up to any instant. */
  public boolean expand(List<Timer> due, Instant now) {
    return expand(due, timer -> Instant.MAX, now, new Deadline(Instant.MAX, clock));
  }

  /**
   * Expands each timer up to its horizon as seen from {@code now}. Timers whose missed fires must
   * be decided on come last: they take by far the longest, and must not delay the others.
   *
   * @param ends the instant up to which the fires of a timer are handed over
   * @param deadline after it, timers with missed fires stay unchanged
   * @return whether a due timer is left: such a timer, or the successor of one that had more fires
   *     than are handed over at once
   * @throws RuntimeException if a step was not accepted; timers that were not moved are still
   *     stored
   */
  public boolean expand(
      List<Timer> due, Function<Timer, Instant> ends, Instant now, Deadline deadline) {
    Expansion expansion = new Expansion(ends, now);
    List<Timer> toDecideOn = new ArrayList<>();
    for (Timer timer : due) {
      if (isMissed(timer, now)) {
        toDecideOn.add(timer);
      } else {
        expansion.add(timer);
      }
    }
    expansion.move();
    if (missed != null) {
      decide(toDecideOn, expansion, deadline);
    }
    return expansion.isRestLeft;
  }

  private boolean isMissed(Timer timer, Instant now) {
    return missed == null
        ? timer.isUndecided(now.minus(LookAhead.AHEAD))
        : missed.concerns(timer, now);
  }

  private static void decide(List<Timer> timers, Expansion expansion, Deadline deadline) {
    for (Timer timer : timers) {
      if (deadline.hasPassed()) {
        expansion.isRestLeft = true;
        break;
      }
      expansion.add(timer);
    }
    expansion.move();
    if (expansion.isUndecided) {
      throw new IllegalStateException("could not decide on the missed fires of some timers");
    }
  }

  /** The timers of one call, moved in chunks. */
  private final class Expansion {
    private final Function<Timer, Instant> ends;
    private final Instant now;
    private Chunk chunk = new Chunk();
    private boolean isRestLeft;
    private boolean isUndecided;

    Expansion(Function<Timer, Instant> ends, Instant now) {
      this.ends = ends;
      this.now = now;
    }

    void add(Timer timer) {
      Optional<FireTimes> times = readable(timer);
      if (times.isEmpty()) {
        return;
      }
      Instant end = ends.apply(timer);
      FireTimes wanted = EndingTimes.of(times.get(), end);
      Optional<Plan> plan = plan(timer, wanted, end, now);
      plan.ifPresent(decided -> chunk.add(timer, wanted, decided, now));
      isUndecided |= plan.isEmpty();
      if (chunk.fires.size() >= MOST_FIRES_PER_CHUNK) {
        move();
      }
    }

    void move() {
      isRestLeft |= Expander.this.move(chunk, now);
      chunk = new Chunk();
    }
  }

  /** If a timer is damaged, the others are still expanded. */
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

  /** Empty if the decision failed; the others are still expanded. */
  private Optional<Plan> plan(Timer timer, FireTimes times, Instant end, Instant now) {
    try {
      return Optional.of(
          missed == null
              ? Plan.unchanged(timer, now.minus(LookAhead.AHEAD))
              : missed.decide(timer, times, end, now));
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not decide on the missed fires of {}; the next tick decides",
          timer.id(),
          unavailable);
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
