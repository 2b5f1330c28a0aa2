/**
 * Structured logs: one line of JSON for each entry, without payloads. Uses {@code id}, {@code
 * document} and {@code runtime}; SLF4J finds it by its provider.
 */
@NullMarked
package dev.carillon.log;

import org.jspecify.annotations.NullMarked;
