/**
 * The command line {@code ./carillon} of a checkout. It uses the commands of the engine and of the
 * demo; no package of this module uses it.
 */
@NullMarked
package dev.carillon.command;

import org.jspecify.annotations.NullMarked;
