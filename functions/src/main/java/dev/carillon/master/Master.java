package dev.carillon.master;

import dev.carillon.check.Shared;
import dev.carillon.fires.Expander;
import dev.carillon.fires.Expander.Rest;
import dev.carillon.fires.MissedFires;
import dev.carillon.job.Jobs;
import dev.carillon.master.ShardPlan.Shards;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The master's tick: expands the timers that are due within the look-ahead, sends the wake-ups of
 * the attention index, and moves the check queue's dead letters back. Its cost grows only with what
 * is due.
 *
 * <p>Ticks can be repeated, overlap or be missed, because each timer stores its own progress.
 */
public final class Master {

  /** How many timers are read and moved together. */
  static final int PAGE = 500;

  private static final int NO_SHARD = -1;
  private static final Logger LOG = LoggerFactory.getLogger(Master.class);

  private final Schedules schedules;
  private final Timers timers;
  private final Jobs jobs;
  private final ShardChanges shardChanges;
  private final Sweep sweep;
  private final DeadLetters deadLetters;
  private final StatusStore status;
  private final Expander expander;
  private final Audit audit;
  private final Fanout fanout;
  private final InstantSource clock;
  private final Metrics metrics;

  /**
   * @param period the interval between ticks; it decides how late a fire must be to count as missed
   */
  public Master(
      Shared shared,
      ScheduleParser parser,
      DeadLetters deadLetters,
      StatusStore status,
      Duration period,
      Fanout fanout,
      InstantSource clock,
      Metrics metrics) {
    this.schedules = shared.schedules();
    this.timers = shared.timers();
    this.jobs = shared.jobs();
    this.shardChanges = new ShardChanges(status, timers, jobs, shared.gates());
    this.sweep = new Sweep(jobs, shared.gates(), shared.checks(), fanout, clock);
    this.deadLetters = deadLetters;
    this.status = status;
    MissedFires missed =
        new MissedFires(schedules, shared.definitions(), jobs, shared.updates(), period);
    this.expander = new Expander(timers, shared.checks(), missed, clock);
    this.audit = new Audit(schedules, parser, timers, status, fanout);
    this.fanout = fanout;
    this.clock = clock;
    this.metrics = metrics;
  }

  /** Runs all parts, even if one of them fails. The next tick does what is left. */
  public void tick(Deadline deadline) {
    Instant now = clock.instant();
    Oldest oldest = new Oldest(now);
    ShardPlan plan = shardChanges.plan(now);
    Shards shards = plan.read();
    if (expandAll(shards.timers(), now, deadline.after(3, 4), oldest)) {
      attempt("store the last processed time", () -> status.advance(now));
    }
    attempt("sweep the attention index", () -> sweep(shards, now, deadline, oldest));
    attempt("move dead letters back", this::moveDeadLettersBack);
    attempt("leave out empty shards", () -> shardChanges.shrink(plan, now));
    attempt("audit the timers", () -> audit(now, deadline));
    metrics.addAge(Metric.OLDEST_DUE_AGE, oldest.dueAt(), now);
  }

  /**
   * Expands due timers in rounds in which the shards share two thirds of the remaining time, so no
   * shard waits until another is complete. Timers with missed fires come last in each round,
   * because a decision about them takes long.
   *
   * @return whether no due timer is left
   */
  private boolean expandAll(int shards, Instant now, Deadline deadline, Oldest oldest) {
    boolean complete = true;
    MissedTimers missed = new MissedTimers(expander, fanout, now);
    List<Integer> left = IntStream.range(0, shards).boxed().toList();
    do {
      Deadline walk = deadline.after(2, 3);
      List<Optional<Page>> pages = fanout.map(left, shard -> readPage(shard, now, null));
      List<Integer> unfinished = new ArrayList<>();
      for (int i = 0; i < left.size(); i++) {
        Deadline turn = walk.after(1, left.size() - i);
        Progress progress = expandShard(left.get(i), pages.get(i), now, turn, missed, oldest);
        complete &= progress != Progress.FAILED;
        if (progress == Progress.PARTIAL) {
          unfinished.add(left.get(i));
        }
      }
      left = unfinished;
      complete &= missed.decide(deadline);
    } while (!left.isEmpty() && !deadline.hasPassed());
    return complete && left.isEmpty();
  }

  private void audit(Instant now, Deadline deadline) {
    Status read = status.read().orElse(null);
    if (read != null) {
      metrics.addAge(Metric.LAG, read.lastProcessedTime(), clock.instant());
      if (audit.isDue(read, now)) {
        attempt("search the shards that are not read", () -> shardChanges.findStrays(now));
      }
      audit.proceed(read, now, deadline);
    }
  }

  /** Makes the reads of a tick for a shard that does not exist, before a snapshot is taken. */
  public void prime(Deadline deadline) {
    Instant now = clock.instant();
    Oldest nothing = new Oldest(now);
    MissedTimers missed = new MissedTimers(expander, fanout, now);
    expandShard(NO_SHARD, readPage(NO_SHARD, now, null), now, deadline, missed, nothing);
    sweep.prime(NO_SHARD, now);
    status.read();
  }

  /**
   * @param first the shard's first page; empty if it could not be read
   */
  private Progress expandShard(
      int shard,
      Optional<Page> first,
      Instant now,
      Deadline deadline,
      MissedTimers missed,
      Oldest oldest) {
    int missedBefore = missed.found();
    boolean failed = false;
    boolean rest = false;
    Optional<Page> page = first;
    while (page.isPresent()) {
      List<Timer> due = page.get().due();
      oldest.found(due.isEmpty() ? null : due.get(0).dueAt());
      Progress progress = expand(due, now, missed);
      failed |= progress == Progress.FAILED;
      rest |= progress == Progress.PARTIAL;
      boolean isLast = due.size() < PAGE;
      boolean isComplete = isLast && !rest;
      if (isComplete || deadline.hasPassed()) {
        boolean isDone = isComplete && missed.found() == missedBefore;
        return failed ? Progress.FAILED : isDone ? Progress.COMPLETE : Progress.PARTIAL;
      }
      Timer after = isLast ? null : due.get(PAGE - 1);
      rest &= !isLast;
      page = readPage(shard, now, after);
    }
    return Progress.FAILED;
  }

  /**
   * The progress of a page or a shard. PARTIAL if time ran out, or if a timer has more fires than
   * one call hands over.
   */
  private enum Progress {
    COMPLETE,
    PARTIAL,
    FAILED
  }

  private record Page(List<Timer> due) {}

  private Optional<Page> readPage(int shard, Instant now, @Nullable Timer after) {
    try {
      return Optional.of(new Page(timers.due(shard, LookAhead.selectionEnd(now), after, PAGE)));
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not read the timers of shard {}; the next tick reads them again",
          shard,
          unavailable);
      return Optional.empty();
    }
  }

  private Progress expand(List<Timer> due, Instant now, MissedTimers missed) {
    if (due.isEmpty()) {
      return Progress.COMPLETE;
    }
    try {
      TimerHeads heads = TimerHeads.read(due, schedules);
      Map<Boolean, List<Timer>> byLive =
          due.stream().filter(heads::isReadable).collect(Collectors.partitioningBy(heads::isLive));
      Function<Timer, Instant> ends = timer -> heads.end(timer).orElse(Instant.MIN);
      Rest rest = expander.expand(byLive.getOrDefault(true, List.of()), ends, now);
      missed.add(rest.undecided(), ends);
      timers.delete(byLive.getOrDefault(false, List.of()));
      return rest.hasMore() ? Progress.PARTIAL : Progress.COMPLETE;
    } catch (RuntimeException unavailable) {
      LOG.warn("could not expand some timers; the next tick expands them again", unavailable);
      return Progress.FAILED;
    }
  }

  private void sweep(Shards shards, Instant now, Deadline deadline, Oldest oldest) {
    sweep
        .run(shards.attention(), now, deadline)
        .map(job -> jobs.find(List.of(job)).get(job))
        .ifPresent(found -> oldest.found(found.attentionAt()));
  }

  private void moveDeadLettersBack() {
    if (deadLetters.moveBack()) {
      LOG.error(
          "check messages became dead letters and are moved back; find the cause in the log of the checker");
    }
  }

  private static void attempt(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException unavailable) {
      LOG.warn("could not {}; the next tick tries again", what, unavailable);
    }
  }
}
