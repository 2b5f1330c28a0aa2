package dev.carillon.master;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the daily audit, which walks over the schedules in parts. Each part continues at
 * its own cursor, so a part that fails does not hold up the others.
 *
 * @param began when the last audit began
 * @param parts at least one
 * @param found how many ACTIVE schedules this audit has found; this number decides how many parts
 *     the next audit has
 */
public record AuditProgress(Instant began, List<Part> parts, long found) {

  static final Duration PERIOD = Duration.ofDays(1);

  /**
   * An audit has one more part for each of this many ACTIVE schedules, up to {@link #MOST_PARTS}.
   */
  static final int SCHEDULES_PER_PART = 5_000;

  /**
   * The number bounds the memory of a tick: the parts proceed side by side, and a page of large
   * definitions takes up to 16 MB.
   */
  static final int MOST_PARTS = 4;

  public AuditProgress {
    parts = List.copyOf(parts);
  }

  /**
   * One part of the schedules.
   *
   * @param cursor where the part continues; null at its beginning
   */
  public record Part(@Nullable String cursor, boolean isDone) {

    public static final Part NEW = new Part(null, false);
    public static final Part DONE = new Part(null, true);

    static Part upTo(@Nullable String cursor) {
      return cursor == null ? DONE : new Part(cursor, false);
    }
  }

  /** The progress before the first audit, which is due a period later. */
  static AuditProgress none(Instant now) {
    return new AuditProgress(now, List.of(Part.DONE), 0);
  }

  /**
   * If a period has passed, begins again the parts that are done. The number of parts changes only
   * while no part is running, because a cursor is valid only for the same number of parts.
   */
  AuditProgress begunIfDue(Instant now) {
    if (now.isBefore(began.plus(PERIOD))) {
      return this;
    }
    if (running().isEmpty()) {
      long wanted = Math.min(MOST_PARTS, 1 + found / SCHEDULES_PER_PART);
      return new AuditProgress(now, Collections.nCopies((int) wanted, Part.NEW), 0);
    }
    List<Part> begun = parts.stream().map(part -> part.isDone() ? Part.NEW : part).toList();
    return new AuditProgress(now, begun, 0);
  }

  /** The numbers of the parts that are not done. */
  List<Integer> running() {
    return IntStream.range(0, parts.size())
        .filter(number -> !parts.get(number).isDone())
        .boxed()
        .toList();
  }

  /** The progress after a page of one part; {@code more} schedules were found on the page. */
  AuditProgress after(int number, Part part, int more) {
    List<Part> changed = new ArrayList<>(parts);
    changed.set(number, part);
    return new AuditProgress(began, changed, found + more);
  }
}
