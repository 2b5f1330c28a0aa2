/** Converts schedules of CDAP. */
@NullMarked
package dev.carillon.imports.cdap;

import org.jspecify.annotations.NullMarked;
