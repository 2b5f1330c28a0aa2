/**
 * The command line {@code carillon} over the HTTP API. The root package assembles the commands and
 * reports faults. No other package uses it.
 */
@NullMarked
package dev.carillon.cli;

import org.jspecify.annotations.NullMarked;
