package dev.carillon.cli.output;

import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * How a screen shows text.
 *
 * @param ansi whether the screen has colours
 * @param width the number of its columns; 0 for no limit, as in a file
 */
public record Style(Ansi ansi, int width) {

  private static final String GOOD = "green";
  private static final String WAITING = "yellow";
  private static final String BAD = "red";

  private static final Map<String, String> COLOURS =
      Map.ofEntries(
          Map.entry("ACTIVE", GOOD),
          Map.entry("SUSPENDED", WAITING),
          Map.entry("PAUSED", WAITING),
          Map.entry("RUNNING", GOOD),
          Map.entry("CLAIMED", GOOD),
          Map.entry("LAUNCHED", GOOD),
          Map.entry("SUCCEEDED", GOOD),
          Map.entry("PENDING_CONSTRAINT", WAITING),
          Map.entry("RETRY_WAIT", WAITING),
          Map.entry("SKIPPED", WAITING),
          Map.entry("FAILED", BAD),
          Map.entry("TIMED_OUT", BAD),
          Map.entry("CANCELLED", BAD),
          Map.entry("create", GOOD),
          Map.entry("replace", WAITING),
          Map.entry("delete", BAD),
          Map.entry("ok", GOOD),
          Map.entry("wrong", BAD));

  /** A style without colours or limit. */
  public static final Style PLAIN = new Style(Ansi.OFF, 0);

  /** A word in its colour, if the word has one. */
  public Ansi.Text coloured(String word) {
    String colour = COLOURS.get(word);
    return colour == null ? text(word) : ansi.new Text("@|" + colour + " " + word + "|@");
  }

  /** Text as it is: marks of colours and control characters have no effect. */
  public Ansi.Text text(String text) {
    return ansi.new Text(printable(text).replace("@|", "@ |"));
  }

  /** The text with each control character replaced, except line breaks and tabs. */
  public static String printable(String text) {
    StringBuilder printable = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (Character.isISOControl(each) && each != '\n' && each != '\t') {
        printable.setCharAt(i, '?');
      }
    }
    return printable.toString();
  }
}
