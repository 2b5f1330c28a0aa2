package dev.carillon.campaign.judge;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a schedule document.
 *
 * @param version identifies the document among those of its schedule; travels in each launch's body
 * @param join how the leaves are joined
 * @param deletesItself whether the schedule is deleted after its last fire
 * @param limit the limit on unfinished attempts of all limited schedules together; 0 for none
 * @param waits how its jobs wait
 * @param excludes whether its crons and rates do not fire when the calendar is closed
 * @param catchUp the policy for missed fires
 * @param limits its program, and further limits on its launches
 * @param tracking how its runs are tracked; null if they are not
 * @param fifo how its requests are grouped in a FIFO queue; null for a standard queue
 */
public record ScheduleSpec(
    int version,
    Join join,
    List<Leaf> leaves,
    boolean deletesItself,
    int limit,
    WaitPolicy waits,
    boolean excludes,
    CatchUp catchUp,
    Limits limits,
    @Nullable Tracking tracking,
    @Nullable Fifo fifo) {

  /** A document without a limit and without waiting. */
  public ScheduleSpec(int version, Join join, List<Leaf> leaves, boolean deletesItself) {
    this(
        version,
        join,
        leaves,
        deletesItself,
        0,
        WaitPolicy.NOT,
        false,
        CatchUp.EVERYTHING,
        Limits.NONE,
        null,
        null);
  }

  /** This document with a limit. */
  public ScheduleSpec withLimit(int most) {
    return new ScheduleSpec(
        version,
        join,
        leaves,
        deletesItself,
        most,
        waits,
        excludes,
        catchUp,
        limits,
        tracking,
        fifo);
  }

  /** This document with waiting jobs. */
  public ScheduleSpec withWaits(WaitPolicy how) {
    return new ScheduleSpec(
        version,
        join,
        leaves,
        deletesItself,
        limit,
        how,
        excludes,
        catchUp,
        limits,
        tracking,
        fifo);
  }

  /** This document with the calendar excluded; documents with an {@link At} cannot exclude it. */
  public ScheduleSpec excludingCalendar() {
    boolean can = leaves.stream().noneMatch(At.class::isInstance);
    return new ScheduleSpec(
        version, join, leaves, deletesItself, limit, waits, can, catchUp, limits, tracking, fifo);
  }

  /** This document with other leaves and a policy for missed fires. */
  public ScheduleSpec catchingUp(List<Leaf> others, CatchUp how) {
    return new ScheduleSpec(
        version, join, others, deletesItself, limit, waits, excludes, how, limits, tracking, fifo);
  }

  /** This document with another version, with or without the calendar excluded. */
  public ScheduleSpec withVersion(int other, boolean excluding) {
    return new ScheduleSpec(
        other,
        join,
        leaves,
        deletesItself,
        limit,
        waits,
        excluding,
        catchUp,
        limits,
        tracking,
        fifo);
  }

  /** This document with a program and its limits. */
  public ScheduleSpec limitedBy(Limits others) {
    return new ScheduleSpec(
        version,
        join,
        leaves,
        deletesItself,
        limit,
        waits,
        excludes,
        catchUp,
        others,
        tracking,
        fifo);
  }

  /** This document with tracked runs. */
  public ScheduleSpec trackedBy(Tracking how) {
    return new ScheduleSpec(
        version, join, leaves, deletesItself, limit, waits, excludes, catchUp, limits, how, fifo);
  }

  /** This document with a FIFO queue as its target. */
  public ScheduleSpec toFifo(Fifo queue) {
    return new ScheduleSpec(
        version,
        join,
        leaves,
        deletesItself,
        limit,
        waits,
        excludes,
        catchUp,
        limits,
        tracking,
        queue);
  }

  /**
   * A FIFO queue as a target.
   *
   * @param group the group of its requests, which may name the priority; empty for the default
   */
  public record Fifo(String group) {}

  /** Whether its jobs may wait for other jobs. */
  boolean queues() {
    return limit > 0 || limits.queues();
  }

  /** How the leaves of a trigger are joined. */
  public enum Join {
    ANY,
    ALL
  }

  /** One condition of a trigger. */
  public sealed interface Leaf {}

  /**
   * A cron expression of six fields, each a number, a list, {@code *} or {@code from/step}; days
   * are not restricted.
   */
  public record Cron(String expression) implements Leaf {}

  /**
   * A cron in a time zone.
   *
   * @param dst the choices for changes of clocks
   * @param flexible the milliseconds over which fires are spread; 0 for none
   * @param schedule the name of its schedule, which determines by how much the fires move
   */
  public record ZonedCron(String expression, String zone, Dst dst, long flexible, String schedule)
      implements Leaf {}

  /**
   * How a cron fires when clocks change.
   *
   * @param gap {@code shift} or {@code skip}; empty for the default
   * @param overlap {@code first}, {@code second} or {@code both}; empty for the default
   */
  public record Dst(String gap, String overlap) {}

  /** A fire at a fixed interval in milliseconds, counted from an anchor. */
  public record Rate(long every, long anchor) implements Leaf {}

  public record At(long instant) implements Leaf {}

  public record Partitions(String dataset, long count) implements Leaf {}

  /** The whole trigger, if it is more complex than joined time leaves and partitions. */
  public record Whole(Condition condition) implements Leaf {}

  /** The trigger of a document with a {@link Whole}; null for other documents. */
  public @Nullable Condition condition() {
    return leaves.size() == 1 && leaves.get(0) instanceof Whole whole ? whole.condition() : null;
  }

  public boolean isPlain() {
    return leaves.stream().noneMatch(ScheduleSpec::collects);
  }

  public boolean hasTimes() {
    return leaves.stream().anyMatch(leaf -> !collects(leaf));
  }

  private static boolean collects(Leaf leaf) {
    return leaf instanceof Partitions || leaf instanceof Whole;
  }

  /** Whether the document names the calendar, which only crons and rates do. */
  public boolean namesCalendar() {
    return excludes && hasTimes();
  }

  /** The index of the leaf that counts partitions of a data set; -1 for none. */
  public int leafOf(@Nullable String dataset) {
    for (int i = 0; i < leaves.size(); i++) {
      if (leaves.get(i) instanceof Partitions partitions && partitions.dataset().equals(dataset)) {
        return i;
      }
    }
    return -1;
  }
}
