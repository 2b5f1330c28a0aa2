package dev.carillon.document;

import java.util.regex.Pattern;

/**
 * The allowed form of a text.
 *
 * @param longest the longest length in UTF-16 units
 * @param remedy what to give instead of a text that does not fit
 */
public record TextForm(int longest, Pattern pattern, String remedy) {

  /** The allowed names of namespaces. */
  public static final String NAMESPACE_PATTERN = "[A-Za-z0-9_-]{1,32}";

  /**
   * The allowed names of schedules, programs, apps and all other named resources. A name of dots
   * alone is excluded, because it has a meaning in a path.
   */
  public static final String NAME_PATTERN = "(?!\\.+\\z)[A-Za-z0-9_.-]{1,64}";

  /** The characters of one line that SQS and DynamoDB store unchanged. */
  private static final String PRINTABLE = "[^\\p{Cc}\\p{Cs}\\uFFFE\\uFFFF]";

  /** The form of the names of schedules, programs, apps and tags. */
  public static final TextForm NAME =
      new TextForm(
          64,
          Pattern.compile(NAME_PATTERN),
          "give 1 to 64 letters, digits, \".\", \"_\" or \"-\", but not only dots");

  public static final TextForm NAMESPACE =
      new TextForm(
          32, Pattern.compile(NAMESPACE_PATTERN), "give 1 to 32 letters, digits, \"_\" or \"-\"");

  /** A non-empty single line. */
  public static TextForm line(int longest) {
    return new TextForm(
        longest,
        Pattern.compile(PRINTABLE + "+"),
        "give 1 to " + longest + " characters without control characters");
  }

  /** A non-empty text of one or several lines. */
  public static TextForm lines(int longest) {
    return new TextForm(
        longest,
        Pattern.compile("(?:" + PRINTABLE + "|[\\t\\r\\n])++"),
        "give 1 to "
            + longest
            + " characters without control characters other than line breaks and tabs");
  }

  public boolean fits(String text) {
    return text.length() <= longest && pattern.matcher(text).matches();
  }
}
