/**
 * The commands: one class for each noun, one method for each verb. They use the session and the
 * client library; commands that make several calls also use {@code apply} or {@code doctor}.
 */
@NullMarked
package dev.carillon.cli.command;

import org.jspecify.annotations.NullMarked;
