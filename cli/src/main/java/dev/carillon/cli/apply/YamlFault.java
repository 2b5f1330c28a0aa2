package dev.carillon.cli.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * A fault of the syntax of YAML.
 *
 * @param line the line, from 1
 * @param detail the column, the problem and, where it is known, the remedy
 */
record YamlFault(int line, String detail) {

  /** The characters that begin aliases, anchors, tags and block scalars. */
  private static final String BEGINNINGS = "*&!|>";

  /** The characters that a value needs quotes for, at least at its beginning. */
  private static final String RESERVED = BEGINNINGS + "{[@`%";

  /** The fault that an exception of Jackson's parser is about; null if it is about another one. */
  static @Nullable YamlFault of(JsonProcessingException invalid) {
    if (invalid.getCause() instanceof MarkedYAMLException syntax
        && syntax.getProblemMark() != null) {
      Mark place = syntax.getProblemMark();
      String context = syntax.getContext() == null ? "" : syntax.getContext() + ": ";
      String detail =
          "column %d: %s%s%s"
              .formatted(place.getColumn() + 1, context, syntax.getProblem(), remedy(syntax));
      return new YamlFault(place.getLine() + 1, detail.replaceAll("\\s+", " "));
    }
    return null;
  }

  private static String remedy(MarkedYAMLException syntax) {
    int found = character(syntax.getProblemMark());
    if (found == '\t') {
      return "; use spaces instead of tabs";
    }
    boolean isReserved =
        RESERVED.indexOf(found) >= 0 || BEGINNINGS.indexOf(character(syntax.getContextMark())) >= 0;
    return isReserved ? "; put the value in quotes" : "";
  }

  /** The character at a place; NUL for none. */
  private static int character(@Nullable Mark place) {
    return place == null || place.getPointer() >= place.getBuffer().length
        ? 0
        : place.getBuffer()[place.getPointer()];
  }
}
