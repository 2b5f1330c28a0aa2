package dev.carillon.imports;

import java.util.regex.Pattern;

/** Converts names of other systems to names that Carillon allows. */
public final class Names {

  private static final int LONGEST = 64;
  private static final int LONGEST_NAMESPACE = 32;
  private static final Pattern OUTSIDE_NAME = Pattern.compile("[^A-Za-z0-9_.-]+");
  private static final Pattern OUTSIDE_NAMESPACE = Pattern.compile("[^A-Za-z0-9_-]+");

  private Names() {}

  /** The nearest allowed name of a schedule, program, app or tag. */
  public static String name(String given) {
    String name = shortened(OUTSIDE_NAME.matcher(given).replaceAll("-"), LONGEST);
    return name.matches("\\.*") ? "unnamed" : name;
  }

  /** The nearest allowed name of a namespace. */
  public static String namespace(String given) {
    String name = shortened(OUTSIDE_NAMESPACE.matcher(given).replaceAll("-"), LONGEST_NAMESPACE);
    return name.isEmpty() ? "default" : name;
  }

  /** A name with a suffix, within the longest length. */
  public static String suffixed(String name, String suffix) {
    return name.substring(0, Math.min(name.length(), LONGEST - suffix.length())) + suffix;
  }

  private static String shortened(String name, int longest) {
    String bare = name.replaceAll("^-+|-+$", "");
    return bare.substring(0, Math.min(bare.length(), longest)).replaceAll("-+$", "");
  }
}
