package dev.carillon.master;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.JobId;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.timer.LookAhead;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the wake-ups of the attention index that are due within the look-ahead, each in a message
 * that is delayed to its instant. All shards are read together, by instant and priority, so that
 * the messages name the subjects in that order.
 */
final class Sweep {

  /** How many entries of a shard one read returns. */
  static final int PAGE = 1_000;

  /** How many wake-ups are collected before messages are sent. */
  static final int BATCH = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private final Jobs jobs;
  private final Gates gates;
  private final CheckQueue checks;
  private final Fanout fanout;
  private final InstantSource clock;

  Sweep(Jobs jobs, Gates gates, CheckQueue checks, Fanout fanout, InstantSource clock) {
    this.jobs = jobs;
    this.gates = gates;
    this.checks = checks;
    this.fanout = fanout;
    this.clock = clock;
  }

  /**
   * Sends wake-ups until no entry is left that is due within the look-ahead, or until the deadline.
   *
   * @return the job of the first due wake-up of a job. The entries of gates, pools and backfills do
   *     not count: that of a pool stays due as long as jobs wait in it
   */
  Optional<JobId> run(int shards, Instant now, Deadline deadline) {
    PriorityQueue<Cursor> cursors =
        new PriorityQueue<>((one, other) -> Wakeup.ORDER.compare(one.first(), other.first()));
    for (Cursor cursor : fanout.map(starts(shards), start -> start.cursor(now))) {
      cursor.addTo(cursors);
    }
    Optional<JobId> first = firstJob(cursors, now);
    Sender sender = new Sender();
    while (!cursors.isEmpty() && !deadline.hasPassed()) {
      Cursor cursor = cursors.remove();
      sender.add(cursor.first());
      cursor.advance();
      cursor.addTo(cursors);
    }
    sender.send();
    return first;
  }

  /** The job of the first due entry in the first page of each shard. */
  private static Optional<JobId> firstJob(Collection<Cursor> cursors, Instant now) {
    return cursors.stream()
        .flatMap(cursor -> cursor.page.stream())
        .filter(entry -> entry.subject() instanceof JobId && !entry.at().isAfter(now))
        .min(Wakeup.ORDER)
        .map(entry -> (JobId) entry.subject());
  }

  private List<Start> starts(int shards) {
    Index ofGates = gates::needingAttention;
    Index ofJobs = jobs::needingAttention;
    List<Start> starts = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      starts.add(new Start(ofGates, shard));
      starts.add(new Start(ofJobs, shard));
    }
    return starts;
  }

  /** Makes the reads of a tick for a shard that does not exist, before a snapshot is taken. */
  void prime(int shard, Instant now) {
    jobs.needingAttention(shard, now, null, PAGE);
    gates.needingAttention(shard, now, null, PAGE);
  }

  /** The attention index of one table. */
  private interface Index {
    List<Wakeup> needingAttention(int shard, Instant until, @Nullable Wakeup after, int limit);
  }

  /** One shard of an index, before its first read. */
  private record Start(Index index, int shard) {
    Cursor cursor(Instant now) {
      return new Cursor(index, shard, now);
    }
  }

  /** The position of the sweep in one shard of an index. */
  private static final class Cursor {
    private final Index index;
    private final int shard;
    private final Instant end;
    private List<Wakeup> page;
    private int position;

    Cursor(Index index, int shard, Instant now) {
      this.index = index;
      this.shard = shard;
      this.end = LookAhead.selectionEnd(now);
      this.page = read(null);
    }

    /** If a shard cannot be read, the sweep continues with the others. */
    private List<Wakeup> read(@Nullable Wakeup after) {
      try {
        return index.needingAttention(shard, end, after, PAGE);
      } catch (RuntimeException unavailable) {
        LOG.warn(
            "could not read the attention index of a shard; the next tick reads it again",
            unavailable);
        return List.of();
      }
    }

    Wakeup first() {
      return page.get(position);
    }

    void advance() {
      position++;
      if (position == page.size() && position == PAGE) {
        page = read(page.get(PAGE - 1));
        position = 0;
      }
    }

    void addTo(PriorityQueue<Cursor> cursors) {
      if (position < page.size()) {
        cursors.add(this);
      }
    }
  }

  /** Sends wake-ups in batches. */
  private final class Sender {
    private final List<Wakeup> batch = new ArrayList<>();

    void add(Wakeup wakeup) {
      batch.add(wakeup);
      if (batch.size() == BATCH) {
        send();
      }
    }

    void send() {
      Instant now = clock.instant();
      try {
        checks.send(Check.of(batch, now), now);
      } catch (RuntimeException unavailable) {
        LOG.warn("could not send wake-ups; the next tick sends them again", unavailable);
      }
      batch.clear();
    }
  }
}
