package dev.carillon.master;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.Attention;
import dev.carillon.id.Subject;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.timer.LookAhead;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has jobs and gates looked at that need attention: at once if it is due, or with a delayed message
 * if it is within the look-ahead. All shards are read together, by instant and priority, so that
 * the messages name the jobs in that order.
 */
final class Sweep {

  /** What is read of a shard at once. */
  static final int PAGE = 1_000;

  /** The jobs that are collected before messages go out. */
  static final int MOST_TOGETHER = 10_000;

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
   * Goes on until nothing is left that is due within the look-ahead; the rest at the deadline.
   *
   * @return what was due first, as the index shows it
   */
  Optional<Attention> run(int shards, Instant now, Deadline deadline) {
    PriorityQueue<Cursor> cursors =
        new PriorityQueue<>((one, other) -> Attention.ORDER.compare(one.first(), other.first()));
    for (Cursor cursor : fanout.map(starts(shards), start -> start.cursor(now))) {
      cursor.enter(cursors);
    }
    Attention first = cursors.isEmpty() ? null : cursors.peek().first();
    Packer packer = new Packer(now);
    while (!cursors.isEmpty() && !deadline.hasPassed()) {
      Cursor cursor = cursors.remove();
      packer.add(cursor.first());
      cursor.advance();
      cursor.enter(cursors);
    }
    packer.send();
    return first == null || first.at().isAfter(now) ? Optional.empty() : Optional.of(first);
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

  /** Reads as a tick does, of a shard that there never is. */
  void prime(int shard, Instant now) {
    jobs.needingAttention(shard, now, null, PAGE);
    gates.needingAttention(shard, now, null, PAGE);
  }

  /** What can be asked for what needs attention. */
  private interface Index {
    List<Attention> needingAttention(
        int shard, Instant until, @Nullable Attention after, int limit);
  }

  /** One shard of an index, of which nothing is read yet. */
  private record Start(Index index, int shard) {
    Cursor cursor(Instant now) {
      return new Cursor(index, shard, now);
    }
  }

  /** Where the sweep is in one shard of an index. */
  private static final class Cursor {
    private final Index index;
    private final int shard;
    private final Instant end;
    private List<Attention> page;
    private int position;

    Cursor(Index index, int shard, Instant now) {
      this.index = index;
      this.shard = shard;
      this.end = LookAhead.selectionEnd(now);
      this.page = read(null);
    }

    /** A shard that cannot be read does not hold up the others. */
    private List<Attention> read(@Nullable Attention after) {
      try {
        return index.needingAttention(shard, end, after, PAGE);
      } catch (RuntimeException unavailable) {
        LOG.warn("the master cannot look for what needs attention", unavailable);
        return List.of();
      }
    }

    Attention first() {
      return page.get(position);
    }

    void advance() {
      position++;
      if (position == page.size() && position == PAGE) {
        page = read(page.get(PAGE - 1));
        position = 0;
      }
    }

    void enter(PriorityQueue<Cursor> cursors) {
      if (position < page.size()) {
        cursors.add(this);
      }
    }
  }

  /** Packs jobs whose attention is due already, or within one second, into common messages. */
  private final class Packer {
    private final Instant now;
    private final List<Check> packed = new ArrayList<>();
    private final List<Subject> together = new ArrayList<>();
    private Instant due = Instant.MIN;
    private int count;

    Packer(Instant now) {
      this.now = now;
    }

    void add(Attention attention) {
      Instant at = attention.at().isBefore(now) ? now : attention.at();
      if (!second(at).equals(second(due)) || together.size() == Check.MOST_JOBS) {
        pack();
      }
      due = at;
      together.add(attention.subject());
      if (++count == MOST_TOGETHER) {
        send();
      }
    }

    private Instant second(Instant instant) {
      return instant.equals(Instant.MIN) ? instant : instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private void pack() {
      packed.addAll(Check.of(due, together));
      together.clear();
    }

    void send() {
      pack();
      try {
        checks.send(List.copyOf(packed), clock.instant());
      } catch (RuntimeException unavailable) {
        LOG.warn("jobs that need attention are looked for by the next tick", unavailable);
      }
      packed.clear();
      count = 0;
    }
  }
}
