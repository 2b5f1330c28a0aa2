/**
 * A minute of everything, to be watched. Uses the local engine and its HTTP API; only the command
 * line uses it.
 */
@NullMarked
package dev.carillon.demo;

import org.jspecify.annotations.NullMarked;
