package dev.carillon.id;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a backfill of a schedule. Its wake-up counts its jobs that have ended, and takes
 * further fires.
 *
 * @param name matches {@link #NAME_PATTERN}; part of the ids of its jobs
 */
public record BackfillId(ScheduleId schedule, String name) implements Subject {

  /** The form of a name. A job id has no room for a longer one. */
  public static final String NAME_PATTERN = "[0-9a-z]{1,5}";

  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9_-]{1,32}/[A-Za-z0-9_.-]{1,64})#backfill:(" + NAME_PATTERN + ")");

  /**
   * @throws IllegalArgumentException if the text is not a backfill id
   */
  public static BackfillId parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("not a backfill id: " + text);
    }
    return new BackfillId(ScheduleId.parse(form.group(1)), form.group(2));
  }

  @Override
  public String toString() {
    return schedule + "#backfill:" + name;
  }
}
