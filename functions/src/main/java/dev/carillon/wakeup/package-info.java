/**
 * Wake-ups: what is processed later, when, and the one rule that says what carries it there. Pure:
 * uses {@code id} alone.
 */
@NullMarked
package dev.carillon.wakeup;

import org.jspecify.annotations.NullMarked;
