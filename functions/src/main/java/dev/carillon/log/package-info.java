/**
 * Structured logs: one line of JSON for each entry, without payloads. Uses {@code id}, {@code
 * document} and {@code runtime}; on Lambda, the package provides the loggers of SLF4J.
 */
@NullMarked
package dev.carillon.log;

import org.jspecify.annotations.NullMarked;
