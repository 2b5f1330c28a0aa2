package dev.carillon.document;

import java.util.regex.Pattern;

/**
 * What a text may look like.
 *
 * @param longest in UTF-16 units
 * @param remedy what to give instead of a text that does not fit
 */
public record TextForm(int longest, Pattern pattern, String remedy) {

  /** What a namespace may be called. */
  public static final String NAMESPACE_PATTERN = "[A-Za-z0-9_-]{1,32}";

  /**
   * What a schedule, program, app or any other named thing may be called: dots alone mean a path.
   */
  public static final String NAME_PATTERN = "(?!\\.+\\z)[A-Za-z0-9_.-]{1,64}";

  /** What SQS and DynamoDB carry unharmed, on one line. */
  private static final String PRINTABLE = "[^\\p{Cc}\\p{Cs}\\uFFFE\\uFFFF]";

  /** What a schedule, program, app or tag may be called. */
  public static final TextForm NAME =
      new TextForm(
          64,
          Pattern.compile(NAME_PATTERN),
          "give 1 to 64 letters, digits, \".\", \"_\" or \"-\", not dots alone");

  public static final TextForm NAMESPACE =
      new TextForm(
          32, Pattern.compile(NAMESPACE_PATTERN), "give 1 to 32 letters, digits, \"_\" or \"-\"");

  /** One line that is not empty. */
  public static TextForm line(int longest) {
    return new TextForm(
        longest,
        Pattern.compile(PRINTABLE + "+"),
        "give 1 to " + longest + " characters, none of them a control character");
  }

  /** Several lines that are not empty together. */
  public static TextForm lines(int longest) {
    return new TextForm(
        longest,
        Pattern.compile("(?:" + PRINTABLE + "|[\\t\\r\\n])++"),
        "give 1 to " + longest + " characters, none but line breaks and tabs a control character");
  }

  public boolean fits(String text) {
    return text.length() <= longest && pattern.matcher(text).matches();
  }
}
