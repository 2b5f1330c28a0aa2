package dev.carillon.cli;

import dev.carillon.cli.session.World;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The help of {@code carillon} itself. It is rendered in advance, because reading all commands for
 * it would take four times as long as the rest of the process.
 */
final class RootHelp {

  /** The file with the help, rendered with colours; a test compares it with the commands. */
  static final String RESOURCE = "help.txt";

  private static final char ESCAPE = '\u001B';

  private RootHelp() {}

  static void print(World world, boolean hasColours) {
    try (InputStream resource =
        Objects.requireNonNull(RootHelp.class.getResourceAsStream(RESOURCE))) {
      String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      world.out().print(hasColours ? text : plain(text));
      world.out().flush();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * The text without colours. It uses no regular expression, because the first one takes time to
   * load.
   */
  static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    int from = 0;
    for (int mark = text.indexOf(ESCAPE); mark >= 0; mark = text.indexOf(ESCAPE, from)) {
      plain.append(text, from, mark);
      from = text.indexOf('m', mark) + 1;
    }
    return plain.append(text, from, text.length()).toString();
  }
}
