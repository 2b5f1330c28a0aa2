/**
 * The state of a gate (slots, launches of a rate, last runs, a gauge), the check of limits against
 * it, and the gates that a program passes. Pure: uses {@code constraint} and {@code id}; jobs pass
 * gates in {@code job} and {@code checker}.
 */
@NullMarked
package dev.carillon.gate;

import org.jspecify.annotations.NullMarked;
