package dev.carillon.imports;

import java.util.List;

/** Converts all sources of one kind. It is a pure function. */
@FunctionalInterface
public interface Converter {

  /**
   * Converts each item, in the order of the sources.
   *
   * @throws UnreadableSource if a source is not of this kind
   */
  List<Outcome> convert(List<Source> sources, Conversion how);
}
