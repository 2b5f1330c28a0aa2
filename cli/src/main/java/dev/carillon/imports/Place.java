package dev.carillon.imports;

/** A line of a source, from 1. */
public record Place(String file, int line) {

  @Override
  public String toString() {
    return file + ":" + line;
  }
}
