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
import dev.carillon.timer.CatchUp.Policy;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import dev.carillon.trigger.Trigger.Leaf;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of the fires that were missed in an outage are launched late.
 *
 * <p>A fire counts as missed if it was due longer ago than one period of the master plus the
 * look-ahead. By then, the tick that should have handed it over must have failed.
 */
public final class MissedFires {

  /** The most fires that one item counts; further fires have another item. */
  static final int MOST_COUNTED = 100_000;

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final Jobs jobs;
  private final OptimisticUpdate updates;
  private final Duration missedAfter;

  /**
   * @param masterPeriod the interval between the master's ticks
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

  /** Fires that were due up to this instant count as missed. */
  Instant missedTo(Instant now) {
    return now.minus(missedAfter);
  }

  /**
   * Decides on a timer's missed fires, and stores the skipped ones. If the call is repeated, it
   * finds the stored item and continues after that item.
   *
   * @param times the fires of the timer's leaf, up to {@code end}
   * @throws RuntimeException if the item was not accepted
   */
  Plan decide(Timer timer, FireTimes times, Instant end, Instant now) {
    Head head = schedules.heads(List.of(timer.id())).get(timer.id());
    Compiled compiled = head == null ? null : definitions.of(List.of(head)).get(timer.id());
    if (head == null || compiled == null || head.generation() != timer.generation()) {
      throw new IllegalStateException(timer.id() + " was changed while its fires were expanded");
    }
    List<Leaf> leaves = compiled.schedule().trigger().leaves();
    Function<Leaf, FireTimes> wanted =
        leaf ->
            EndingTimes.of(
                new ExcludingTimes(compiled.fireTimes((TimeLeaf) leaf), head.closedPauses()), end);
    Leaf own = leaves.get(timer.leaf());
    List<FireTimes> others =
        leaves.stream()
            .filter(leaf -> !leaf.equals(own) && leaf instanceof TimeLeaf)
            .map(wanted)
            .toList();
    return new Decision(timer, head, times, wanted.apply(own), others, now).plan();
  }

  /** The decision about one timer whose fire was missed. */
  private final class Decision {
    private final Timer timer;
    private final Head head;
    private final FireTimes times;
    private final FireTimes wanted;
    private final List<FireTimes> others;
    private final Instant now;
    private final Instant missedTo;
    private Instant start;
    private Optional<JobId> recordedIn = Optional.empty();

    /**
     * @param times all fires of the leaf
     * @param wanted the fires of the leaf that calendars do not exclude now and that were due while
     *     the schedule made jobs
     * @param others the same of each other leaf
     */
    Decision(
        Timer timer,
        Head head,
        FireTimes times,
        FireTimes wanted,
        List<FireTimes> others,
        Instant now) {
      this.timer = timer;
      this.head = head;
      this.times = times;
      this.wanted = wanted;
      this.others = others;
      this.now = now;
      this.missedTo = missedTo(now);
      this.start = timer.dueAt().minusMillis(1);
    }

    Plan plan() {
      Optional<Instant> kept = firstKept();
      start = decidedBefore().orElse(start);
      return updates.run("the fires of " + timer.id(), () -> counted(kept));
    }

    /**
     * Counts the skipped fires. Another invocation that decides on the same fires may already have
     * stored the first item that this invocation wants to store.
     */
    private Attempt<Plan> counted(Optional<Instant> kept) {
      Tally tally = new Tally(start, kept.orElse(Instant.MAX));
      SkippedFires skipped = tally.skipped();
      if (skipped == null || stored(skipped)) {
        return Attempt.done(continuing(tally, kept));
      }
      start = skipped.first().at().minusMillis(1);
      return Attempt.lostRace();
    }

    /**
     * The last skipped fire that another timer of the same leaf has counted; empty unless that
     * timer has counted the fire of this timer too. A leaf has two timers if the old one could not
     * be deleted. Skipped fires have no jobs of their own that could show the progress of the other
     * timer.
     */
    private Optional<Instant> decidedBefore() {
      Optional<SkippedFires> counted =
          SkippedFires.upTo(id(timer.dueAt()), jobs).stream()
              .filter(of -> of.leaf() == timer.leaf() && of.contains(timer.dueAt()))
              .findFirst();
      counted.ifPresent(of -> recordedIn = Optional.of(of.first()));
      return counted.map(SkippedFires::last);
    }

    private Plan continuing(Tally tally, Optional<Instant> kept) {
      if (!tally.isComplete) {
        return new Plan(
            times.next(tally.reached).map(Fire::at), false, null, null, Optional.empty());
      }
      return new Plan(
          kept, true, missedTo, missedTo, kept.isEmpty() ? recordedIn : Optional.empty());
    }

    /**
     * Whether another leaf keeps a fire of this instant, which needs the id for its job. Only the
     * policy LATEST keeps fires of one leaf that it skips for another, and none outside its window.
     */
    private boolean isKeptByAnother(Instant fire) {
      return timer.catchUp().policy() == Policy.LATEST
          && !timer.catchUp().isOutside(fire, now)
          && others.stream()
              .flatMap(times -> times.previous(missedTo.plusMillis(1)).stream())
              .anyMatch(last -> last.at().equals(fire));
    }

    /** The first fire that is not skipped; empty if there is none. */
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
        recordedIn = Optional.of(inserted.id());
      }
      return stored;
    }

    private JobId id(Instant fire) {
      return JobId.ofFire(timer.id(), timer.generation(), fire);
    }

    /**
     * Counts the fires that have no stored job. Only the first fires can have jobs: if a tick
     * handed these fires over and then could not move the timer, it handed over no later fires.
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
        while (next.isPresent() && next.get().isBefore(end) && isCounted(next.get())) {
          reached = counted(next.get());
          next = wanted.next(reached).map(Fire::at);
        }
        boolean isLast = next.isEmpty() || !next.get().isBefore(end);
        this.isComplete = isLast && reached.isBefore(end);
      }

      /**
       * Whether this item can count the fire. An item ends before the item of another timer: its
       * range would otherwise include fires that the other item counts.
       */
      private boolean isCounted(Instant fire) {
        return count < MOST_COUNTED && (first == null || countedFrom(fire).isEmpty());
      }

      /** The skipped fires that another item counts, beginning with this fire. */
      private Optional<SkippedFires> countedFrom(Instant fire) {
        return Optional.ofNullable(known.get(id(fire)))
            .flatMap(SkippedFires::of)
            .filter(of -> of.leaf() == timer.leaf());
      }

      /** Counts a fire. Returns the last fire that is counted now. */
      private Instant counted(Instant fire) {
        Job present = known.get(id(fire));
        if (present == null && first == null && isKeptByAnother(fire)) {
          return fire;
        }
        if (present == null) {
          first = first == null ? fire : first;
          last = fire;
          count++;
          return fire;
        }
        recordedIn = Optional.of(present.id());
        return countedFrom(fire).map(SkippedFires::last).orElse(fire);
      }

      /** The counted fires; null if there are none. */
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
