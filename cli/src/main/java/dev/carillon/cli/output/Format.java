package dev.carillon.cli.output;

import java.util.Locale;

/** A form of the standard output. */
public enum Format {
  /** Text in columns. */
  TABLE,
  /** The same, with more columns. */
  WIDE,
  /** The answer of the API; an array for a list. */
  JSON,
  YAML,
  /** Only names or ids, one a line. */
  NAME;

  /** Whether the output is text for people, not data for programs. */
  public boolean isForPeople() {
    return this == TABLE || this == WIDE;
  }

  /** The name, as it is written in the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
