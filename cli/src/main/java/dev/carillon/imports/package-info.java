/**
 * The parts that all importers share: sources with their lines, and the results for their items.
 * Each package below converts one kind of source, by pure functions. This package uses the format
 * of exports and the values of schedules, and none of the packages below.
 */
@NullMarked
package dev.carillon.imports;

import org.jspecify.annotations.NullMarked;
