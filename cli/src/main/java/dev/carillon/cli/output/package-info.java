/**
 * The output of commands: tables, cards, JSON and YAML on the standard output, and notes on the
 * error output. Of Carillon it uses only the client library's JSON.
 */
@NullMarked
package dev.carillon.cli.output;

import org.jspecify.annotations.NullMarked;
