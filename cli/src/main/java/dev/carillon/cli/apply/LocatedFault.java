package dev.carillon.cli.apply;

import java.nio.file.Path;

/**
 * A fault of a file.
 *
 * @param line the line, from 1; 0 for the fault of a file or directory as a whole
 * @param pointer the JSON pointer into the file; empty for the whole file
 */
public record LocatedFault(Path file, int line, String pointer, String detail) {

  /** The fault as text, like {@code jobs/nightly.yaml:7: /trigger/expression: it never fires}. */
  @Override
  public String toString() {
    String place = line == 0 ? file.toString() : file + ":" + line;
    return place + ": " + (pointer.isEmpty() ? "" : pointer + ": ") + detail;
  }
}
