package dev.carillon.imports;

/**
 * Writes the day fields of crons so that the dialect unix reads them as another library does. If
 * both fields restrict the days, a day matches if either field matches. The library counts a field
 * with a step, like <code>*&#47;2</code>, as a restriction. The dialect unix does not, because the
 * field begins with {@code *}. So this class writes a range with the step instead.
 */
public final class UnixDays {

  private static final int DAY_OF_MONTH = 2;
  private static final int DAY_OF_WEEK = 4;

  private UnixDays() {}

  /** Five fields that mean the same in the dialect unix. */
  public static String[] either(String[] fields) {
    String[] days = fields.clone();
    if (!isAny(days[DAY_OF_MONTH]) && !isAny(days[DAY_OF_WEEK])) {
      days[DAY_OF_MONTH] = days[DAY_OF_MONTH].replaceAll("(^|,)\\*/", "$11-31/");
      days[DAY_OF_WEEK] = days[DAY_OF_WEEK].replaceAll("(^|,)\\*/", "$10-6/");
    }
    return days;
  }

  private static boolean isAny(String field) {
    return field.equals("*") || field.equals("*/1");
  }
}
