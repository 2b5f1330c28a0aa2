package dev.carillon.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * The time between two changes of the clocks, in which local time and real time advance alike.
 *
 * @param began the change at its start; null if there is none
 * @param ends the change at its end; null if there is none
 */
record Stretch(
    ZoneOffset offset, @Nullable ZoneOffsetTransition began, @Nullable ZoneOffsetTransition ends) {

  static Stretch containing(Instant instant, ZoneRules rules) {
    return new Stretch(
        rules.getOffset(instant),
        rules.previousTransition(instant.plusNanos(1)),
        rules.nextTransition(instant));
  }

  LocalDateTime local(Instant instant) {
    return LocalDateTime.ofInstant(instant, offset);
  }

  Instant instant(LocalDateTime local) {
    return local.toInstant(offset);
  }

  /**
   * The first local time that can fire in this stretch. If the stretch begins with a part that is
   * repeated, and only the first pass counts, this is the end of the part.
   */
  LocalDateTime from(Dst.Overlap overlap) {
    if (began == null) {
      return LocalDateTime.MIN.plusSeconds(1);
    }
    return began.isOverlap() && overlap == Dst.Overlap.FIRST
        ? began.getDateTimeBefore()
        : began.getDateTimeAfter();
  }

  /**
   * The exclusive end of the local times that can fire in this stretch. If the stretch ends with a
   * part that is repeated, and only the second pass counts, this is the start of the part.
   */
  LocalDateTime to(Dst.Overlap overlap) {
    if (ends == null) {
      return LocalDateTime.MAX;
    }
    return ends.isOverlap() && overlap == Dst.Overlap.SECOND
        ? ends.getDateTimeAfter()
        : ends.getDateTimeBefore();
  }

  /** Whether a local time of this stretch also occurs in the stretch before or after it. */
  boolean repeats(LocalDateTime local) {
    return (began != null && began.isOverlap() && local.isBefore(began.getDateTimeBefore()))
        || (ends != null && ends.isOverlap() && !local.isBefore(ends.getDateTimeAfter()));
  }
}
