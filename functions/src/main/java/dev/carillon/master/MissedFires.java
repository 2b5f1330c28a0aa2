package dev.carillon.master;

import dev.carillon.job.Job;
import dev.carillon.job.JobId;
import dev.carillon.job.Jobs;
import dev.carillon.job.SkippedFires;
import dev.carillon.schedule.CatchUp;
import dev.carillon.schedule.CatchUp.Policy;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of the fires that fell due in an outage are made up for.
 *
 * <p>A fire is missed if it is handed over later after it was due than a period of the master and
 * its look-ahead: then no tick handed it over that should have.
 */
public final class MissedFires {

  /** The fires that one row counts at most; those behind have a further row. */
  static final int MOST_COUNTED = 100_000;

  private static final int MOST_LOST_RACES = 5;

  private final Schedules schedules;
  private final Jobs jobs;
  private final Duration missedAfter;

  /**
   * @param masterPeriod how often the master ticks
   */
  public MissedFires(Schedules schedules, Jobs jobs, Duration masterPeriod) {
    this.schedules = schedules;
    this.jobs = jobs;
    this.missedAfter = masterPeriod.plus(LookAhead.AHEAD);
  }

  /**
   * From where a timer goes on.
   *
   * @param next its next fire; empty if it has none any more
   * @param isDecided whether that one is to be handed over; if not, it has to be decided on next
   * @param decidedTo what was missed up to here and comes now is handed over whenever that is
   * @param skipped a row of fires that were skipped, if the last one is among them
   */
  record Plan(
      Optional<Instant> next,
      boolean isDecided,
      @Nullable Instant decidedTo,
      Optional<JobId> skipped) {

    static Plan goingOn(Timer timer) {
      return new Plan(Optional.of(timer.dueAt()), true, timer.decidedTo(), Optional.empty());
    }
  }

  /**
   * Stores what is skipped, if anything is. Repeated, it finds that row and goes on behind it.
   *
   * @throws RuntimeException if that was not accepted
   */
  Plan decide(Timer timer, FireTimes times, Instant now) {
    Instant missedTo = now.minus(missedAfter);
    if (timer.catchUp().equals(CatchUp.EVERYTHING)
        || timer.dueAt().isAfter(missedTo)
        || timer.isDecided()) {
      return Plan.goingOn(timer);
    }
    Optional<Instant> kept = firstKept(timer, times, missedTo, now);
    Optional<Instant> fire = Optional.of(timer.dueAt());
    Optional<JobId> row = Optional.empty();
    for (int tries = 0; tries < MOST_LOST_RACES; tries++) {
      Tally tally = new Tally(timer, times, kept.orElse(Instant.MAX), fire);
      SkippedFires skipped = tally.skipped();
      row = tally.row();
      fire = tally.next;
      if (skipped == null) {
        break;
      }
      if (stored(skipped, timer, now)) {
        row = Optional.of(skipped.first());
        break;
      }
      if (tries == MOST_LOST_RACES - 1) {
        throw new IllegalStateException("others decide on the fires of " + timer.id());
      }
      fire = Optional.of(skipped.first().at());
    }
    boolean decided = fire.equals(kept);
    return new Plan(
        fire, decided, decided ? missedTo : null, fire.isEmpty() ? row : Optional.empty());
  }

  /** The first fire that is not skipped; empty if there is none any more. */
  private static Optional<Instant> firstKept(
      Timer timer, FireTimes times, Instant missedTo, Instant now) {
    CatchUp catchUp = timer.catchUp();
    Optional<Instant> notMissed = times.next(missedTo).map(Fire::at);
    Optional<Instant> oldest =
        switch (catchUp.policy()) {
          case ALL -> Optional.of(timer.dueAt());
          case LATEST -> times.previous(missedTo.plusMillis(1)).map(Fire::at);
          case NONE -> notMissed;
        };
    if (oldest.isPresent() && catchUp.isOutside(oldest.get(), now)) {
      Instant beginning = now.minus(catchUp.window() == null ? Duration.ZERO : catchUp.window());
      oldest = times.next(beginning.minusMillis(1)).map(Fire::at);
      boolean isMissed = oldest.filter(fire -> !fire.isAfter(missedTo)).isPresent();
      return isMissed && catchUp.policy() == Policy.ALL ? oldest : notMissed;
    }
    return oldest;
  }

  private boolean stored(SkippedFires skipped, Timer timer, Instant now) {
    Head head = schedules.heads(List.of(timer.id())).get(timer.id());
    if (head == null) {
      throw new IllegalStateException("a schedule without a head: " + timer.id());
    }
    Job row = skipped.row(timer.activation(), head.program(), now, words(timer.catchUp()));
    return jobs.insert(List.of(row)).get(0).isEmpty();
  }

  private static String words(CatchUp catchUp) {
    String policy = catchUp.policy().name().toLowerCase(Locale.ROOT);
    return catchUp.window() == null ? policy : policy + " within " + catchUp.window();
  }

  /**
   * Counts the fires that have no row yet. Only the first ones can have: a tick that handed fires
   * over but could not move the timer had no more.
   */
  private final class Tally {
    private final Timer timer;
    private final Map<JobId, Job> known;
    private @Nullable Instant first;
    private Instant last = Instant.MIN;
    private long count;
    private Optional<JobId> row = Optional.empty();
    private Optional<Instant> next;

    Tally(Timer timer, FireTimes times, Instant end, Optional<Instant> from) {
      this.timer = timer;
      this.next = from;
      Instant start = from.map(it -> it.minusMillis(1)).orElse(Instant.MAX);
      this.known =
          jobs.find(
              Fires.within(times, start, end.minusMillis(1), Expander.MOST_FIRES_PER_TIMER).stream()
                  .map(fire -> id(fire.at()))
                  .toList());
      while (next.isPresent() && next.get().isBefore(end) && count < MOST_COUNTED) {
        Instant behind = count(next.get());
        next = times.next(behind).map(Fire::at);
      }
    }

    private JobId id(Instant fire) {
      return JobId.ofFire(timer.id(), timer.generation(), fire);
    }

    /** The last of those that are counted by now. */
    private Instant count(Instant fire) {
      Job present = known.get(id(fire));
      if (present == null) {
        first = first == null ? fire : first;
        last = fire;
        count++;
        return fire;
      }
      Optional<SkippedFires> skipped =
          SkippedFires.of(present).filter(of -> of.leaf() == timer.leaf());
      row = Optional.of(present.id());
      return skipped.map(SkippedFires::last).orElse(fire);
    }

    /** Null if there are none. */
    @Nullable SkippedFires skipped() {
      return first == null ? null : new SkippedFires(id(first), last, count, timer.leaf());
    }

    Optional<JobId> row() {
      return row;
    }
  }
}
