/** The command {@code carillon import}. */
@NullMarked
package dev.carillon.imports.command;

import org.jspecify.annotations.NullMarked;
