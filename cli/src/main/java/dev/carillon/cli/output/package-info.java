/**
 * The output of commands: tables, cards, JSON and YAML on the standard output, and notes on the
 * error output. The package uses nothing of Carillon except the client library's JSON.
 */
@NullMarked
package dev.carillon.cli.output;

import org.jspecify.annotations.NullMarked;
