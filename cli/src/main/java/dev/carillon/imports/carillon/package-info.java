/**
 * Reads what Carillon exported. It uses what importers share, the format of exports and the values
 * of schedules.
 */
@NullMarked
package dev.carillon.imports.carillon;

import org.jspecify.annotations.NullMarked;
