/**
 * The HTTP API: one class for each group of routes, and the JSON forms of stored state. The package
 * uses the model and the ports of other functions, but none of their logic.
 */
@NullMarked
package dev.carillon.api;

import org.jspecify.annotations.NullMarked;
