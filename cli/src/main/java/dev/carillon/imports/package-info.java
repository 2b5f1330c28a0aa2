/**
 * What all importers share: sources with their lines, and what becomes of each of their items. The
 * packages below it convert one kind of source each, by pure functions. It uses the format of
 * exports and the values of schedules; none of the packages below.
 */
@NullMarked
package dev.carillon.imports;

import org.jspecify.annotations.NullMarked;
