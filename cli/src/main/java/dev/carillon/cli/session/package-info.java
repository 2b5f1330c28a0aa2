/**
 * What all commands share: the options of every command and the process around them. The client,
 * the printer and the notes are made from these two. It uses {@code connection} and {@code output}.
 */
@NullMarked
package dev.carillon.cli.session;

import org.jspecify.annotations.NullMarked;
