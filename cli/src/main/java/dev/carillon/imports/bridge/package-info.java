/**
 * Converts the configuration table of Bridge's master scheduler. It uses the shared parts of
 * importers and the values of schedules.
 */
@NullMarked
package dev.carillon.imports.bridge;

import org.jspecify.annotations.NullMarked;
