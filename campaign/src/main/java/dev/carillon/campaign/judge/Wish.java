package dev.carillon.campaign.judge;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a stored document asks for.
 *
 * @param version tells the documents of one schedule apart; travels in each launch's body
 * @param join how the leaves are joined
 * @param deletesItself whether the schedule is deleted after its last fire
 * @param limit how many unfinished attempts there may be of all schedules with a limit; 0 for any
 * @param waits how its jobs wait
 * @param excludes whether its crons and rates do not fire when the calendar is closed
 * @param catchUp what becomes of fires that were missed
 */
public record Wish(
    int version,
    Join join,
    List<Leaf> leaves,
    boolean deletesItself,
    int limit,
    Waits waits,
    boolean excludes,
    CatchUp catchUp) {

  /** One without a limit, and whose jobs need not wait. */
  public Wish(int version, Join join, List<Leaf> leaves, boolean deletesItself) {
    this(version, join, leaves, deletesItself, 0, Waits.NOT, false, CatchUp.EVERYTHING);
  }

  /** The same with a limit. */
  public Wish limited(int most) {
    return new Wish(version, join, leaves, deletesItself, most, waits, excludes, catchUp);
  }

  /** The same with jobs that wait. */
  public Wish waiting(Waits how) {
    return new Wish(version, join, leaves, deletesItself, limit, how, excludes, catchUp);
  }

  /** The same without the fires that the calendar excludes; there is none of an {@link At}. */
  public Wish excluding() {
    boolean can = leaves.stream().noneMatch(At.class::isInstance);
    return new Wish(version, join, leaves, deletesItself, limit, waits, can, catchUp);
  }

  /** The same with other leaves, and with another decision on missed fires. */
  public Wish catchingUp(List<Leaf> others, CatchUp how) {
    return new Wish(version, join, others, deletesItself, limit, waits, excludes, how);
  }

  /** The same under another version, with or without what the calendar excludes. */
  public Wish anew(int other, boolean excluding) {
    return new Wish(other, join, leaves, deletesItself, limit, waits, excluding, catchUp);
  }

  /** How several leaves make one trigger. */
  public enum Join {
    ANY,
    ALL
  }

  /** One condition. */
  public sealed interface Leaf {}

  /** Six fields, each a number, a list, {@code *} or {@code from/step}; days are not restricted. */
  public record Cron(String expression) implements Leaf {}

  /** Every so many milliseconds, counted from an instant long ago. */
  public record Rate(long every, long anchor) implements Leaf {}

  public record At(long instant) implements Leaf {}

  public record Partitions(String dataset, long count) implements Leaf {}

  public boolean isPlain() {
    return leaves.stream().noneMatch(Partitions.class::isInstance);
  }

  public boolean hasTimes() {
    return leaves.stream().anyMatch(leaf -> !(leaf instanceof Partitions));
  }

  /** Whether the calendar is named in the document, which it is in crons and rates. */
  public boolean namesCalendar() {
    return excludes && hasTimes();
  }

  /** The leaf that counts partitions of a data set; -1 if none does. */
  public int leafOf(@Nullable String dataset) {
    for (int i = 0; i < leaves.size(); i++) {
      if (leaves.get(i) instanceof Partitions partitions && partitions.dataset().equals(dataset)) {
        return i;
      }
    }
    return -1;
  }
}
