/**
 * Converts schedules of CDAP. It uses the shared parts of importers and the values of schedules.
 */
@NullMarked
package dev.carillon.imports.cdap;

import org.jspecify.annotations.NullMarked;
