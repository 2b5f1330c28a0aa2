package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.ScheduleSpec.ZonedCron;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * The fires of a cron in a time zone, computed from the local time of every second.
 *
 * <p>By default an expression with {@code *} or {@code /} in hour or minute follows real time: it
 * does not fire for times in a gap, and fires for both occurrences of a time. Other expressions
 * fire right after the gap, and for the first occurrence only.
 */
final class ZonedFires {

  private static final int[] SIZES = {60, 60, 24};

  private final ZoneRules rules;
  private final boolean[][] allowed = new boolean[SIZES.length][];
  private final String gap;
  private final String overlap;

  private ZonedFires(ZonedCron cron) {
    this.rules = ZoneId.of(cron.zone()).getRules();
    String[] fields = cron.expression().split(" ", -1);
    for (int i = 0; i < SIZES.length; i++) {
      allowed[i] = FireCalendar.allowed(fields[i], SIZES[i]);
    }
    boolean isRealTime = isPattern(fields[1]) || isPattern(fields[2]);
    this.gap = chosen(cron.dst().gap(), isRealTime ? "skip" : "shift");
    this.overlap = chosen(cron.dst().overlap(), isRealTime ? "both" : "first");
  }

  private static boolean isPattern(String field) {
    return field.contains("*") || field.contains("/");
  }

  private static String chosen(String asked, String otherwise) {
    return asked.isEmpty() ? otherwise : asked;
  }

  /** The fires from {@code from} to {@code to}, both inclusive. */
  static NavigableSet<Long> of(ZonedCron cron, long from, long to) {
    ZonedFires unmoved = new ZonedFires(cron);
    long offset = offset(cron);
    NavigableSet<Long> fires = new TreeSet<>();
    unmoved.in(from - offset, to - offset).forEach(fire -> fires.add(fire + offset));
    return fires;
  }

  /** By how much the fires of a flexible cron move. */
  private static long offset(ZonedCron cron) {
    if (cron.flexible() == 0) {
      return 0;
    }
    CRC32 hash = new CRC32();
    hash.update(("default/" + cron.schedule()).getBytes(StandardCharsets.UTF_8));
    return hash.getValue() % (cron.flexible() / 1_000) * 1_000;
  }

  private NavigableSet<Long> in(long from, long to) {
    NavigableSet<Long> fires = new TreeSet<>();
    for (long second = Math.floorDiv(from + 999, 1_000L); second * 1_000 <= to; second++) {
      if (firesAt(Instant.ofEpochSecond(second))) {
        fires.add(second * 1_000);
      }
    }
    return fires;
  }

  private boolean firesAt(Instant instant) {
    ZoneOffset offset = rules.getOffset(instant);
    LocalDateTime local = LocalDateTime.ofInstant(instant, offset);
    if (matches(local.toLocalTime()) && isChosen(local, offset)) {
      return true;
    }
    ZoneOffsetTransition change = rules.previousTransition(instant.plusSeconds(1));
    return change != null
        && change.getInstant().equals(instant)
        && change.isGap()
        && gap.equals("shift")
        && matchesBetween(change.getDateTimeBefore(), change.getDateTimeAfter());
  }

  /** Whether the cron fires at this occurrence of a local time. */
  private boolean isChosen(LocalDateTime local, ZoneOffset offset) {
    List<ZoneOffset> occurrences = rules.getValidOffsets(local);
    return occurrences.size() < 2
        || switch (overlap) {
          case "first" -> offset.equals(occurrences.get(0));
          case "second" -> offset.equals(occurrences.get(1));
          default -> true;
        };
  }

  private boolean matchesBetween(LocalDateTime from, LocalDateTime to) {
    for (LocalDateTime local = from; local.isBefore(to); local = local.plusSeconds(1)) {
      if (matches(local.toLocalTime())) {
        return true;
      }
    }
    return false;
  }

  private boolean matches(LocalTime time) {
    return allowed[0][time.getSecond()]
        && allowed[1][time.getMinute()]
        && allowed[2][time.getHour()];
  }
}
