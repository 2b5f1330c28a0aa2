package dev.carillon.fires;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.SkippedFires;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import dev.carillon.time.EndingTimes;
import dev.carillon.time.ExcludingTimes;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import dev.carillon.timer.CatchUp;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import dev.carillon.trigger.Trigger.TimeLeaf;
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

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final Jobs jobs;
  private final OptimisticUpdate updates;
  private final Duration missedAfter;

  /**
   * @param masterPeriod how often the master ticks
   */
  public MissedFires(
      Schedules schedules,
      CompiledSchedules definitions,
      Jobs jobs,
      OptimisticUpdate updates,
      Duration masterPeriod) {
    this.schedules = schedules;
    this.definitions = definitions;
    this.jobs = jobs;
    this.updates = updates;
    this.missedAfter = masterPeriod.plus(LookAhead.AHEAD);
  }

  /**
   * From where a timer goes on.
   *
   * @param next its next fire; empty if it has none any more
   * @param isDecided whether that one is to be handed over; if not, it has to be decided on next
   * @param decidedTo what was missed up to here and comes now is handed over whenever that is
   * @param missedTo what comes behind {@code decidedTo} up to here has to be decided on as well;
   *     null if nothing has
   * @param skipped a row of fires that were skipped, if the last one is among them
   */
  record Plan(
      Optional<Instant> next,
      boolean isDecided,
      @Nullable Instant decidedTo,
      @Nullable Instant missedTo,
      Optional<JobId> skipped) {

    static Plan goingOn(Timer timer, Instant missedTo) {
      return new Plan(
          Optional.of(timer.dueAt()),
          true,
          timer.decidedTo(),
          timer.catchUp().isEverything() ? null : missedTo,
          Optional.empty());
    }

    boolean handsOver(Instant fire) {
      boolean isDecidedOn = decidedTo != null && !fire.isAfter(decidedTo);
      return isDecided && (missedTo == null || isDecidedOn || fire.isAfter(missedTo));
    }
  }

  /** Whether there is something to decide about a timer, which takes time. */
  boolean concerns(Timer timer, Instant now) {
    return timer.isUndecided(now.minus(missedAfter));
  }

  /**
   * Stores what is skipped, if anything is. Repeated, it finds that row and goes on behind it.
   *
   * @param times of the timer's leaf, up to {@code end}
   * @throws RuntimeException if that was not accepted
   */
  Plan decide(Timer timer, FireTimes times, Instant end, Instant now) {
    Instant missedTo = now.minus(missedAfter);
    if (!timer.isUndecided(missedTo)) {
      return Plan.goingOn(timer, missedTo);
    }
    Head head = schedules.heads(List.of(timer.id())).get(timer.id());
    Compiled compiled = head == null ? null : definitions.of(List.of(head)).get(timer.id());
    if (head == null || compiled == null || head.generation() != timer.generation()) {
      throw new IllegalStateException(timer.id() + " changes while its fires are expanded");
    }
    TimeLeaf leaf = (TimeLeaf) compiled.schedule().trigger().leaves().get(timer.leaf());
    FireTimes open = new ExcludingTimes(compiled.fireTimes(leaf), head.closedPauses());
    FireTimes wanted = EndingTimes.of(open, end);
    return new Decision(timer, head, times, wanted, now).plan();
  }

  /** About one timer whose fire was missed. */
  private final class Decision {
    private final Timer timer;
    private final Head head;
    private final FireTimes times;
    private final FireTimes wanted;
    private final Instant now;
    private final Instant missedTo;
    private Instant start;
    private Optional<JobId> row = Optional.empty();

    /**
     * @param times all fires of the leaf
     * @param wanted those that calendars do not exclude, by what they are now, and that were not
     *     due while the schedule made no jobs
     */
    Decision(Timer timer, Head head, FireTimes times, FireTimes wanted, Instant now) {
      this.timer = timer;
      this.head = head;
      this.times = times;
      this.wanted = wanted;
      this.now = now;
      this.missedTo = now.minus(missedAfter);
      this.start = timer.dueAt().minusMillis(1);
    }

    Plan plan() {
      Optional<Instant> kept = firstKept();
      start = decidedBefore().orElse(start);
      return updates.run("the fires of " + timer.id(), () -> counted(kept));
    }

    /** Another that decides on the same fires has stored the first row that this one would. */
    private Attempt<Plan> counted(Optional<Instant> kept) {
      Tally tally = new Tally(start, kept.orElse(Instant.MAX));
      SkippedFires skipped = tally.skipped();
      if (skipped == null || stored(skipped)) {
        return Attempt.done(goingOnBehind(tally, kept));
      }
      start = skipped.first().at().minusMillis(1);
      return Attempt.lostRace();
    }

    /**
     * The last of the fires that another timer of the leaf has counted, with this one's among them:
     * two are left if the old one could not be deleted, and while nothing is launched no job tells
     * what the first of them had handed over.
     */
    private Optional<Instant> decidedBefore() {
      Optional<SkippedFires> counted =
          SkippedFires.upTo(id(timer.dueAt()), jobs).stream()
              .filter(of -> of.leaf() == timer.leaf() && of.contains(timer.dueAt()))
              .findFirst();
      counted.ifPresent(of -> row = Optional.of(of.first()));
      return counted.map(SkippedFires::last);
    }

    private Plan goingOnBehind(Tally tally, Optional<Instant> kept) {
      if (!tally.isComplete) {
        return new Plan(
            times.next(tally.reached).map(Fire::at), false, null, null, Optional.empty());
      }
      return new Plan(kept, true, missedTo, missedTo, kept.isEmpty() ? row : Optional.empty());
    }

    /** The first fire that is not skipped; empty if there is none any more. */
    private Optional<Instant> firstKept() {
      CatchUp catchUp = timer.catchUp();
      Optional<Instant> oldest =
          switch (catchUp.policy()) {
            case ALL -> wanted.next(oldestWithin(catchUp).minusMillis(1)).map(Fire::at);
            case LATEST -> wanted.previous(missedTo.plusMillis(1)).map(Fire::at);
            case NONE -> Optional.empty();
          };
      return oldest
          .filter(fire -> !fire.isBefore(timer.dueAt()) && !fire.isAfter(missedTo))
          .filter(fire -> !catchUp.isOutside(fire, now))
          .or(() -> times.next(missedTo).map(Fire::at));
    }

    private Instant oldestWithin(CatchUp catchUp) {
      Duration window = catchUp.window();
      Instant oldest = window == null ? timer.dueAt() : now.minus(window);
      return oldest.isBefore(timer.dueAt()) ? timer.dueAt() : oldest;
    }

    private boolean stored(SkippedFires skipped) {
      Job inserted = skipped.row(timer.activation(), head.program(), now, words(timer.catchUp()));
      boolean stored = jobs.insert(List.of(inserted)).get(0).isEmpty();
      if (stored) {
        row = Optional.of(inserted.id());
      }
      return stored;
    }

    private JobId id(Instant fire) {
      return JobId.ofFire(timer.id(), timer.generation(), fire);
    }

    /**
     * Counts the fires that have no row yet. Only the first ones can have: a tick that handed fires
     * over but could not move the timer had no more.
     */
    private final class Tally {
      private final Map<JobId, Job> known;
      private @Nullable Instant first;
      private Instant last = Instant.MIN;
      private long count;
      private Instant reached;
      private final boolean isComplete;

      /**
       * @param start exclusive
       * @param end exclusive
       */
      Tally(Instant start, Instant end) {
        this.known =
            jobs.find(
                Fires.within(wanted, start, end.minusMillis(1), Expander.MOST_FIRES_PER_TIMER)
                    .stream()
                    .map(fire -> id(fire.at()))
                    .toList());
        this.reached = start;
        Optional<Instant> next = wanted.next(reached).map(Fire::at);
        while (next.isPresent() && next.get().isBefore(end) && count < MOST_COUNTED) {
          reached = counted(next.get());
          next = wanted.next(reached).map(Fire::at);
        }
        boolean isThrough = next.isEmpty() || !next.get().isBefore(end);
        this.isComplete = isThrough && reached.isBefore(end);
      }

      /** The last of those that are counted by now. */
      private Instant counted(Instant fire) {
        Job present = known.get(id(fire));
        if (present == null) {
          first = first == null ? fire : first;
          last = fire;
          count++;
          return fire;
        }
        row = Optional.of(present.id());
        return SkippedFires.of(present)
            .filter(of -> of.leaf() == timer.leaf())
            .map(SkippedFires::last)
            .orElse(fire);
      }

      /** Null if there are none. */
      @Nullable SkippedFires skipped() {
        return first == null ? null : new SkippedFires(id(first), last, count, timer.leaf());
      }
    }
  }

  private static String words(CatchUp catchUp) {
    String policy = catchUp.policy().name().toLowerCase(Locale.ROOT);
    return catchUp.window() == null ? policy : policy + " within " + catchUp.window();
  }
}
