/** Stores entries in a deployment. */
@NullMarked
package dev.carillon.imports.store;

import org.jspecify.annotations.NullMarked;
