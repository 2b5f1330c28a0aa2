package dev.carillon.id;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a job: opaque to users, of {@code [A-Za-z0-9._~-]}, at most 120 characters. The
 * job's key can be computed from it, and the job of a fire always gets the same one.
 *
 * @param at of a fire, also of a backfill, its scheduledFor; otherwise when the job was opened; to
 *     the millisecond
 * @param suffix empty for a fire; otherwise what tells jobs opened at one instant apart: {@code
 *     e<sequence>} for events, {@code m<random>} for launch-now, {@code b<name>} for a backfill
 */
public record JobId(ScheduleId schedule, long generation, Instant at, String suffix)
    implements Subject {

  /** What {@link #sortKey()} looks like. */
  public static final String SORT_KEY_PATTERN = "[0-9a-z]{5}~[0-9a-z]{9}(~[a-z][0-9a-z]{1,5})?";

  private static final String BY_HAND = "m";
  private static final String BACKFILL = "b";
  private static final int RADIX = 36;
  private static final int GENERATION_DIGITS = 5;
  private static final int INSTANT_DIGITS = 9;

  /** What the digits of a suffix can tell apart. */
  private static final long SEQUENCES = 36L * 36 * 36 * 36 * 36;

  private static final Pattern FORM =
      Pattern.compile(
          "(?<namespace>[A-Za-z0-9_-]{1,32})~(?<name>[A-Za-z0-9_.-]{1,64})"
              + "~(?<generation>[0-9a-z]{5})~(?<at>[0-9a-z]{9})(?:~(?<suffix>[a-z][0-9a-z]{1,5}))?");

  public static JobId ofFire(ScheduleId schedule, long generation, Instant scheduledFor) {
    return new JobId(schedule, generation, scheduledFor, "");
  }

  /**
   * @param sequence counts the schedule's jobs. The id begins with 0 again after 36⁵ of them: so
   *     many are never opened at one instant
   */
  public static JobId ofEvents(
      ScheduleId schedule, long generation, Instant openedAt, long sequence) {
    String digits = Long.toString(sequence % SEQUENCES, RADIX);
    return new JobId(schedule, generation, openedAt, "e" + digits);
  }

  public static JobId ofLaunchNow(
      ScheduleId schedule, long generation, Instant calledAt, String random) {
    return new JobId(schedule, generation, calledAt, BY_HAND + random);
  }

  /** The job that a backfill has of a fire: another one than the fire's own. */
  public static JobId ofBackfill(BackfillId backfill, long generation, Instant scheduledFor) {
    return new JobId(backfill.schedule(), generation, scheduledFor, BACKFILL + backfill.name());
  }

  /**
   * @throws IllegalArgumentException if it is no job id
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

  /** Whether this names a fire of a time trigger, which has no row before it launches. */
  public boolean isFire() {
    return suffix.isEmpty();
  }

  /** Whether somebody launched it by hand. */
  public boolean isByHand() {
    return suffix.startsWith(BY_HAND);
  }

  /** The backfill that has made the job; empty if none has. */
  public Optional<BackfillId> backfill() {
    return isOfBackfill()
        ? Optional.of(new BackfillId(schedule, suffix.substring(BACKFILL.length())))
        : Optional.empty();
  }

  /** Whether this names a job that a backfill has made of a fire. */
  public boolean isOfBackfill() {
    return suffix.startsWith(BACKFILL);
  }

  /** What sorts the jobs of a schedule by generation and instant. */
  public String sortKey() {
    String key =
        digits(generation, GENERATION_DIGITS) + "~" + digits(at.toEpochMilli(), INSTANT_DIGITS);
    return suffix.isEmpty() ? key : key + "~" + suffix;
  }

  private static String digits(long value, int width) {
    String text = Long.toString(value, RADIX);
    return "0".repeat(Math.max(0, width - text.length())) + text;
  }

  /** Written out, as {@link #hashCode}: linking the generated ones is felt in a cold start. */
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
