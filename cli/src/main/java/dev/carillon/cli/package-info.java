/**
 * The command line {@code carillon} over the HTTP API. The root puts the commands together and says
 * what went wrong; no other package uses it.
 */
@NullMarked
package dev.carillon.cli;

import org.jspecify.annotations.NullMarked;
