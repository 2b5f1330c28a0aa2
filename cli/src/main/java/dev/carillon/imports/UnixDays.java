package dev.carillon.imports;

/**
 * The day fields of crons whose library takes a field with a step as a restriction, so that either
 * of two such days matches. In the dialect unix both must match if one begins with {@code *}, so a
 * range is written instead.
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
