package dev.carillon.cli.output;

import java.util.Locale;

/** A form of the standard output. */
public enum Format {
  /** Columns for people. */
  TABLE,
  /** The same, with more columns. */
  WIDE,
  /** What the API answers; an array for a list. */
  JSON,
  YAML,
  /** Only names or ids, one a line. */
  NAME;

  /** Whether it is a text for people, not data for programs. */
  public boolean isForPeople() {
    return this == TABLE || this == WIDE;
  }

  /** The name as the command line has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
