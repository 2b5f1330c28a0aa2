/**
 * The format of exports, and the exporter that writes them. An import can store an export again. It
 * uses the session of the command line and the client library.
 */
@NullMarked
package dev.carillon.exports;

import org.jspecify.annotations.NullMarked;
