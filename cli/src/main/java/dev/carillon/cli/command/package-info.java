/**
 * The commands: one class for each noun, one method for each verb. They use the session, the client
 * library, and {@code apply} and {@code doctor} for what is more than one call.
 */
@NullMarked
package dev.carillon.cli.command;

import org.jspecify.annotations.NullMarked;
