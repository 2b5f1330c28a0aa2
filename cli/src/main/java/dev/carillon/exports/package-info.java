/** The format of an export, which an import can store again, and the exporter that writes it. */
@NullMarked
package dev.carillon.exports;

import org.jspecify.annotations.NullMarked;
