package dev.carillon.template;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of a text with variables. */
sealed interface Piece {

  /** Matches an escaped start of a variable, or a variable, which may lack its end. */
  Pattern MARK = Pattern.compile("\\$\\$\\{|\\$\\{(?<name>[^}]*)(?<end>}?)");

  /** Text that is inserted unchanged. */
  record Literal(String text) implements Piece {}

  /** A variable, which is replaced by its value. */
  record Placeholder(String name) implements Piece {}

  /** The start of a variable without its end. */
  record Unclosed(String rest) implements Piece {}

  static List<Piece> of(String text) {
    List<Piece> pieces = new ArrayList<>();
    Matcher mark = MARK.matcher(text);
    int done = 0;
    while (mark.find()) {
      if (mark.start() > done) {
        pieces.add(new Literal(text.substring(done, mark.start())));
      }
      pieces.add(marked(mark));
      done = mark.end();
    }
    if (done < text.length()) {
      pieces.add(new Literal(text.substring(done)));
    }
    return pieces;
  }

  private static Piece marked(Matcher mark) {
    String name = mark.group("name");
    if (name == null) {
      return new Literal("${");
    }
    return mark.group("end").isEmpty() ? new Unclosed(name) : new Placeholder(name);
  }
}
