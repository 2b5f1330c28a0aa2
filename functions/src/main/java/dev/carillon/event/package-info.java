/**
 * Facts from outside: parses messages and envelopes, and computes the keys and weights that
 * triggers count. Pure: uses {@code trigger}, {@code id} and {@code document}.
 */
@NullMarked
package dev.carillon.event;

import org.jspecify.annotations.NullMarked;
