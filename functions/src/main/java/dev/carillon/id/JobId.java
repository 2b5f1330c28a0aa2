package dev.carillon.id;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id of a job. It is opaque to users, consists of {@code [A-Za-z0-9._~-]}, and has at most 120
 * characters. The job's key is computed from it, and the job of a fire always has the same id.
 *
 * @param at for a fire, even one of a backfill, its scheduledFor; otherwise the instant at which
 *     the job was opened; in milliseconds
 * @param suffix empty for a fire; otherwise it distinguishes jobs that were opened at one instant:
 *     {@code e<sequence>} for events, {@code m<random>} for launch-now, {@code b<name>} for a
 *     backfill
 */
public record JobId(ScheduleId schedule, long generation, Instant at, String suffix)
    implements Subject {

  /** The form of {@link #sortKey()}. */
  public static final String SORT_KEY_PATTERN = "[0-9a-z]{5}~[0-9a-z]{9}(~[a-z][0-9a-z]{1,5})?";

  private static final String MANUAL = "m";
  private static final String BACKFILL = "b";
  private static final int RADIX = 36;
  private static final int GENERATION_DIGITS = 5;
  private static final int INSTANT_DIGITS = 9;

  /** The number of distinct sequence digits of a suffix. */
  private static final long SEQUENCES = 36L * 36 * 36 * 36 * 36;

  private static final Pattern FORM =
      Pattern.compile(
          "(?<namespace>[A-Za-z0-9_-]{1,32})~(?<name>[A-Za-z0-9_.-]{1,64})"
              + "~(?<generation>[0-9a-z]{5})~(?<at>[0-9a-z]{9})(?:~(?<suffix>[a-z][0-9a-z]{1,5}))?");

  public static JobId ofFire(ScheduleId schedule, long generation, Instant scheduledFor) {
    return new JobId(schedule, generation, scheduledFor, "");
  }

  /**
   * @param sequence counts the schedule's jobs. The digits start again at 0 after 36⁵ jobs. So many
   *     jobs are never opened at one instant
   */
  public static JobId ofEvents(
      ScheduleId schedule, long generation, Instant openedAt, long sequence) {
    String digits = Long.toString(sequence % SEQUENCES, RADIX);
    return new JobId(schedule, generation, openedAt, "e" + digits);
  }

  public static JobId ofLaunchNow(
      ScheduleId schedule, long generation, Instant calledAt, String random) {
    return new JobId(schedule, generation, calledAt, MANUAL + random);
  }

  /** The job that a backfill makes for a fire. It differs from the fire's own job. */
  public static JobId ofBackfill(BackfillId backfill, long generation, Instant scheduledFor) {
    return new JobId(backfill.schedule(), generation, scheduledFor, BACKFILL + backfill.name());
  }

  /**
   * @throws IllegalArgumentException if the text is not a job id
   */
  public static JobId parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("not a job id: " + text);
    }
    String suffix = form.group("suffix");
    return new JobId(
        new ScheduleId(form.group("namespace"), form.group("name")),
        Long.parseLong(form.group("generation"), RADIX),
        Instant.ofEpochMilli(Long.parseLong(form.group("at"), RADIX)),
        suffix == null ? "" : suffix);
  }

  /** Whether this is the job of a fire, which has no item before it launches. */
  public boolean isFire() {
    return suffix.isEmpty();
  }

  /** Whether the job was launched manually, by launch-now. */
  public boolean isManual() {
    return suffix.startsWith(MANUAL);
  }

  /** The backfill of the job; empty if it belongs to none. */
  public Optional<BackfillId> backfill() {
    return isOfBackfill()
        ? Optional.of(new BackfillId(schedule, suffix.substring(BACKFILL.length())))
        : Optional.empty();
  }

  /** Whether the job belongs to a backfill. */
  public boolean isOfBackfill() {
    return suffix.startsWith(BACKFILL);
  }

  /** Sorts the jobs of a schedule by generation and instant. */
  public String sortKey() {
    String key =
        digits(generation, GENERATION_DIGITS) + "~" + digits(at.toEpochMilli(), INSTANT_DIGITS);
    return suffix.isEmpty() ? key : key + "~" + suffix;
  }

  private static String digits(long value, int width) {
    String text = Long.toString(value, RADIX);
    return "0".repeat(Math.max(0, width - text.length())) + text;
  }

  /**
   * The method is written out, like {@link #hashCode}, because linking the generated methods makes
   * a cold start noticeably slower.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JobId id
        && schedule.equals(id.schedule)
        && generation == id.generation
        && at.equals(id.at)
        && suffix.equals(id.suffix);
  }

  @Override
  public int hashCode() {
    int hash = 31 * schedule.hashCode() + Long.hashCode(generation);
    return 31 * (31 * hash + at.hashCode()) + suffix.hashCode();
  }

  @Override
  public String toString() {
    return schedule.namespace() + "~" + schedule.name() + "~" + sortKey();
  }
}
