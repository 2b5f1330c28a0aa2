package dev.carillon.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The periods of a schedule's life since the last change that cancelled all there was, in order;
 * the current one is the last. Each ends where the next begins.
 *
 * @param all at least one; of longer lives those with the last {@link #MOST_PAUSES} suspensions
 *     that are over
 */
public record Periods(List<Period> all) {

  /** The suspensions that are remembered when they are over; with a further one the first goes. */
  public static final int MOST_PAUSES = 10;

  public Periods {
    all = List.copyOf(all);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a life has a period");
    }
  }

  static Periods of(Period first) {
    return new Periods(List.of(first));
  }

  Period current() {
    return all.get(all.size() - 1);
  }

  /** Where memory begins: with the life, or with the end of a suspension that is forgotten. */
  Instant beganAt() {
    return all.get(0).from();
  }

  /**
   * With a next period. A period that keeps no jobs is not remembered: its schedule begins with the
   * next.
   */
  Periods followedBy(Period next) {
    List<Period> kept = current().keepsJobs() ? new ArrayList<>(all) : new ArrayList<>();
    kept.add(next);
    while (pausesAmong(kept).size() > MOST_PAUSES) {
      kept.remove(0);
    }
    return new Periods(kept);
  }

  /** The suspensions that are over. */
  List<Pause> pauses() {
    return pausesAmong(all);
  }

  Optional<Pause> lastPause() {
    List<Pause> pauses = pauses();
    return pauses.isEmpty() ? Optional.empty() : Optional.of(pauses.get(pauses.size() - 1));
  }

  /** The suspensions that are over in which no job could be opened. */
  Stream<Pause> closed() {
    return pauses().stream().filter(pause -> !pause.period().makesJobs());
  }

  /** Whether it is suspended, or was. */
  boolean haveSuspension() {
    return all.stream().anyMatch(Period::isSuspended);
  }

  /** Whether suspensions may have been forgotten. */
  boolean areFull() {
    return pauses().size() == MOST_PAUSES;
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
