/**
 * Determines which deployment or local engine a command addresses, from options, environment
 * variables, the file of contexts and the outputs of a stack. It uses the client library, and
 * {@code output} for faults.
 */
@NullMarked
package dev.carillon.cli.connection;

import org.jspecify.annotations.NullMarked;
