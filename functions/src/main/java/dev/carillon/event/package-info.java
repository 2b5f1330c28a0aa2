/**
 * Facts from outside: reading messages and envelopes, the keys and weights that triggers count, and
 * what is handed on. Pure: uses {@code trigger}, {@code id} and {@code document}.
 */
@NullMarked
package dev.carillon.event;

import org.jspecify.annotations.NullMarked;
