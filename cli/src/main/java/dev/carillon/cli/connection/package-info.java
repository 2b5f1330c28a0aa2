/**
 * Which deployment or local engine a command addresses: options, environment variables, the file of
 * contexts, the outputs of a stack. It uses the client library, and {@code output} for faults.
 */
@NullMarked
package dev.carillon.cli.connection;

import org.jspecify.annotations.NullMarked;
