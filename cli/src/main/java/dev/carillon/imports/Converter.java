package dev.carillon.imports;

import java.util.List;

/** A pure function that converts all sources of one kind. */
@FunctionalInterface
public interface Converter {

  /**
   * Converts each item, in the order of the sources.
   *
   * @throws UnreadableSource if a source is not of this kind
   */
  List<Outcome> convert(List<Source> sources, Conversion how);
}
