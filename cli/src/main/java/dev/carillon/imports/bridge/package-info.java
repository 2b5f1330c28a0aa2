/** Converts the configuration table of Bridge's master scheduler. */
@NullMarked
package dev.carillon.imports.bridge;

import org.jspecify.annotations.NullMarked;
