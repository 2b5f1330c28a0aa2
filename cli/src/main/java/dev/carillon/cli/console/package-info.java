/**
 * Serves the console on the loopback interface, for an API that requires signatures. It signs the
 * calls of the page with the credentials of the user. The page never has these credentials.
 */
@NullMarked
package dev.carillon.cli.console;

import org.jspecify.annotations.NullMarked;
