/**
 * Timers: the stored cursor of one time leaf of a schedule, how far ahead it is expanded, and the
 * port that stores it. Pure: uses {@code trigger}, {@code wakeup} and {@code id}.
 */
@NullMarked
package dev.carillon.timer;

import org.jspecify.annotations.NullMarked;
