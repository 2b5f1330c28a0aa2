package dev.carillon.id;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pool's name within its namespace. As the subject of a wake-up, it makes the pool choose its
 * next jobs.
 */
public record PoolId(String namespace, String name) implements Subject {

  private static final String KIND = "#pool:";
  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9_-]{1,32})" + KIND + "([A-Za-z0-9_.-]{1,64})");

  /** Whether the text of a subject names a pool. */
  static boolean names(String text) {
    return text.startsWith(KIND, text.indexOf('#'));
  }

  /**
   * @throws IllegalArgumentException if the text is not a pool
   */
  public static PoolId parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("not a pool: " + text);
    }
    return new PoolId(form.group(1), form.group(2));
  }

  @Override
  public String toString() {
    return namespace + KIND + name;
  }
}
