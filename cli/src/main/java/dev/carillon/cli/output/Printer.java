package dev.carillon.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/** Prints results in the format that the user has chosen. */
public final class Printer {

  private final PrintWriter out;
  private final Format format;
  private final Style style;

  public Printer(PrintWriter out, Format format, Style style) {
    this.out = out;
    this.format = format;
    this.style = style;
  }

  /** Prints a list. */
  public <T> void list(List<T> items, Table<T> table) {
    switch (format) {
      case JSON, YAML -> document(Json.tree(items));
      case NAME -> items.forEach(item -> out.println(table.name(item)));
      default -> {
        if (!items.isEmpty()) {
          out.print(table.text(items, format == Format.WIDE, style));
        }
      }
    }
    out.flush();
  }

  /**
   * Prints one object.
   *
   * @param name the output in the format NAME
   * @param value the output in JSON and YAML
   * @param card the output as text
   */
  public void item(String name, Object value, Card card) {
    switch (format) {
      case JSON, YAML -> document(Json.tree(value));
      case NAME -> out.println(name);
      default -> out.print(card.text(style));
    }
    out.flush();
  }

  /**
   * Prints several objects that have a text of their own.
   *
   * @param names the output in the format NAME
   * @param value the output in JSON and YAML
   * @param text the output as text
   */
  public void report(List<String> names, Object value, List<Ansi.Text> text) {
    switch (format) {
      case JSON, YAML -> document(Json.tree(value));
      case NAME -> names.forEach(out::println);
      default -> text.forEach(out::println);
    }
    out.flush();
  }

  /**
   * Prints one of several objects that follow one another: as a line of JSON or a document of YAML.
   *
   * @param name the output in the format NAME
   * @param value the output in JSON and YAML
   * @param text the output as text
   */
  public void entry(String name, Object value, Ansi.Text text) {
    switch (format) {
      case JSON -> out.println(Json.write(Json.tree(value)));
      case YAML -> out.print("---\n" + Yaml.text(Json.tree(value)));
      case NAME -> out.println(name);
      default -> out.println(text);
    }
    out.flush();
  }

  private void document(JsonNode value) {
    if (format == Format.JSON) {
      out.println(value.toPrettyString());
    } else {
      out.print(Yaml.text(value));
    }
  }
}
