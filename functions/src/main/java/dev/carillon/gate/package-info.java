/**
 * The state of a gate (slots, launches of a rate, last runs, a gauge), the check of limits against
 * it, and the gates that the jobs of a program pass. Pure: uses {@code constraint} and {@code id}.
 * Whether a job passes is decided in {@code decision}.
 */
@NullMarked
package dev.carillon.gate;

import org.jspecify.annotations.NullMarked;
