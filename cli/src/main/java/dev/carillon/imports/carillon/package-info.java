/** Reads what Carillon exported. */
@NullMarked
package dev.carillon.imports.carillon;

import org.jspecify.annotations.NullMarked;
