package dev.carillon.cli.output;

import java.util.Locale;

/** A form of the standard output. */
public enum Format {
  /** Text in columns. */
  TABLE,
  /** Text in columns, with more columns. */
  WIDE,
  /** The answer of the API as JSON; an array for a list. */
  JSON,
  YAML,
  /** Only names or ids, one on each line. */
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
