package dev.carillon.imports;

/**
 * Converts the day fields of crons for a library that takes a field with a step for a restriction,
 * so that a day matches if either field matches. In the dialect unix, both fields must match if one
 * of them begins with {@code *}, so this class writes a range instead.
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
