/** Converts schedules of CDAP. It uses what importers share and the values of schedules. */
@NullMarked
package dev.carillon.imports.cdap;

import org.jspecify.annotations.NullMarked;
