/**
 * The state of a gate (slots, launches of a rate, last runs, a gauge), what it answers to a limit,
 * and which gates a program passes. Pure: uses {@code constraint} and {@code id}; jobs pass gates
 * in {@code job} and {@code checker}.
 */
@NullMarked
package dev.carillon.gate;

import org.jspecify.annotations.NullMarked;
