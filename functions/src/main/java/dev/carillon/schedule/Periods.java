package dev.carillon.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The periods of a schedule's life since the last change that cancelled everything, in order; the
 * last period is the current one. Each ends where the next begins.
 *
 * @param all at least one period; of a long life, only the periods since the last {@link
 *     #MOST_PAUSES} ended suspensions
 */
public record Periods(List<Period> all) {

  /** How many ended suspensions are kept; a further one drops the oldest. */
  public static final int MOST_PAUSES = 10;

  public Periods {
    all = List.copyOf(all);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("periods is empty; a life has at least one period");
    }
  }

  static Periods of(Period first) {
    return new Periods(List.of(first));
  }

  Period current() {
    return all.get(all.size() - 1);
  }

  /** The start of the first known period. */
  Instant beganAt() {
    return all.get(0).from();
  }

  /** Adds the next period. If the current one keeps no jobs, all earlier periods are dropped. */
  Periods followedBy(Period next) {
    List<Period> kept = current().keepsJobs() ? new ArrayList<>(all) : new ArrayList<>();
    kept.add(next);
    while (pausesAmong(kept).size() > MOST_PAUSES) {
      kept.remove(0);
    }
    return new Periods(kept);
  }

  /** The suspensions that have ended. */
  List<Pause> pauses() {
    return pausesAmong(all);
  }

  Optional<Pause> lastPause() {
    List<Pause> pauses = pauses();
    return pauses.isEmpty() ? Optional.empty() : Optional.of(pauses.get(pauses.size() - 1));
  }

  /** The ended suspensions in which no job could be opened. */
  Stream<Pause> closed() {
    return pauses().stream().filter(pause -> !pause.period().makesJobs());
  }

  /** When the schedule began to hold the jobs that it holds in a suspension. */
  private Instant heldFrom(Pause last) {
    Instant from = last.from();
    for (int next = all.indexOf(last.period()); next >= 0 && all.get(next).holdsJobs(); next--) {
      from = all.get(next).from();
    }
    return from;
  }

  /** Whether the schedule is or was suspended. */
  boolean haveSuspension() {
    return all.stream().anyMatch(Period::isSuspended);
  }

  /** Whether older suspensions might have been dropped. */
  private boolean areFull() {
    return pauses().size() == MOST_PAUSES;
  }

  /**
   * When a waiting job times out. The time in which the schedule held jobs does not count. While
   * the schedule holds jobs, the result is empty, except for a manual job. A manual job that was
   * launched during that time is not held, and times out. A manual job that is held cannot time out
   * before it is released, so its result has no effect until then.
   *
   * @param since when the job began to wait
   */
  Optional<Instant> waitEnd(Instant since, Duration timeout, boolean isManual) {
    Instant began = knownSince(since);
    Instant end = began.plus(timeout);
    for (Pause pause : pauses()) {
      boolean isLaunchedSince = isManual && since.isAfter(heldFrom(pause));
      if (stopsClock(pause.period(), end) && !isLaunchedSince && pause.to().isAfter(began)) {
        end = end.plus(Duration.between(later(pause.from(), began), pause.to()));
      }
    }
    return stopsClock(current(), end) && !isManual ? Optional.empty() : Optional.of(end);
  }

  /**
   * The given instant; the start of the first known period if suspensions after the instant may
   * have been dropped.
   */
  Instant knownSince(Instant instant) {
    return areFull() ? later(instant, beganAt()) : instant;
  }

  private static boolean stopsClock(Period period, Instant end) {
    return period.holdsJobs() && period.from().isBefore(end);
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static List<Pause> pausesAmong(List<Period> periods) {
    List<Pause> pauses = new ArrayList<>();
    for (int next = 1; next < periods.size(); next++) {
      if (periods.get(next - 1).isSuspended()) {
        pauses.add(new Pause(periods.get(next - 1), periods.get(next).from()));
      }
    }
    return pauses;
  }
}
