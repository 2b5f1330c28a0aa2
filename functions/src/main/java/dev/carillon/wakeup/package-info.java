/**
 * Wake-ups: which subject is processed when, and the one rule that decides whether a message or the
 * attention index carries the wake-up. Pure: uses only {@code id}.
 */
@NullMarked
package dev.carillon.wakeup;

import org.jspecify.annotations.NullMarked;
