/**
 * The context that all commands share: their common options and the process around them. The
 * client, the printer and the notes follow from the options and the process. It uses {@code
 * connection} and {@code output}.
 */
@NullMarked
package dev.carillon.cli.session;

import org.jspecify.annotations.NullMarked;
