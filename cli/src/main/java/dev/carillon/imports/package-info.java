/**
 * What all importers share: sources with their lines, and what becomes of each of their items. The
 * packages below it convert one kind of source each, by pure functions.
 */
@NullMarked
package dev.carillon.imports;

import org.jspecify.annotations.NullMarked;
