/**
 * The command {@code carillon import}. It uses all importers, {@code store}, the session of the
 * command line and its output; only the root uses it.
 */
@NullMarked
package dev.carillon.imports.command;

import org.jspecify.annotations.NullMarked;
