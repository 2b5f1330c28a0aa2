/**
 * The format of an export, which an import can store again, and the exporter that writes it. It
 * uses the session of the command line and the client library.
 */
@NullMarked
package dev.carillon.exports;

import org.jspecify.annotations.NullMarked;
