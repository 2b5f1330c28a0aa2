/**
 * The console on the loopback interface, for an API that requires signatures: serves the page, and
 * signs the calls of the page with the credentials of the user, which the page never has.
 */
@NullMarked
package dev.carillon.cli.console;

import org.jspecify.annotations.NullMarked;
