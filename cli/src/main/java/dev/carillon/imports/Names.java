package dev.carillon.imports;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;

/** Converts names of other systems to names that Carillon allows. */
public final class Names {

  private static final int LONGEST = 64;
  private static final int LONGEST_NAMESPACE = 32;
  private static final int HASH = 8;
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

  /**
   * A name with a suffix. If both together are too long, the name is cut, and a hash of the whole
   * name keeps it apart from others that begin in the same way.
   */
  public static String suffixed(String name, String suffix) {
    if (name.length() + suffix.length() <= LONGEST) {
      return name + suffix;
    }
    byte[] whole = name.getBytes(StandardCharsets.UTF_8);
    String end = "-" + UUID.nameUUIDFromBytes(whole).toString().substring(0, HASH) + suffix;
    return name.substring(0, LONGEST - end.length()) + end;
  }

  private static String shortened(String name, int longest) {
    String bare = name.replaceAll("^-+|-+$", "");
    return bare.substring(0, Math.min(bare.length(), longest)).replaceAll("-+$", "");
  }
}
