package dev.carillon.cli.output;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi.Text;

/** One object as text: labelled values, then texts of several lines. */
public final class Card {

  private final List<Line> lines = new ArrayList<>();

  private record Line(String label, String value, boolean coloured) {}

  /** Adds a value; an empty one is left out. */
  public Card with(String label, @Nullable Object value) {
    return add(label, value, false);
  }

  /** Adds a state, in its colour. */
  public Card state(String label, Object value) {
    return add(label, value, true);
  }

  private Card add(String label, @Nullable Object value, boolean coloured) {
    String text = value == null ? "" : value.toString().strip();
    if (!text.isEmpty()) {
      lines.add(new Line(label, text, coloured));
    }
    return this;
  }

  String text(Style style) {
    int indent = 2 + lines.stream().mapToInt(line -> line.label().length()).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(line.label()).append(" ".repeat(indent - line.label().length()));
      text.append(value(line, indent, style)).append(System.lineSeparator());
    }
    return text.toString();
  }

  private static Text value(Line line, int indent, Style style) {
    return line.coloured()
        ? style.coloured(line.value())
        : style.text(line.value().replace("\n", "\n" + " ".repeat(indent)));
  }
}
