/**
 * What commands print: tables, cards, JSON and YAML on the standard output, and notes on the error
 * output. It uses nothing of Carillon but the library's JSON.
 */
@NullMarked
package dev.carillon.cli.output;

import org.jspecify.annotations.NullMarked;
