/**
 * What all commands share: the options of every command, the process around them, and from both the
 * client, the printer and the notes. It uses {@code connection} and {@code output}.
 */
@NullMarked
package dev.carillon.cli.session;

import org.jspecify.annotations.NullMarked;
