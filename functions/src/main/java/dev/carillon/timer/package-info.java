/**
 * Timers: the stored next fire of a time leaf, how far ahead a timer is expanded, and the port that
 * stores timers. Pure: uses {@code trigger}, {@code wakeup} and {@code id}.
 */
@NullMarked
package dev.carillon.timer;

import org.jspecify.annotations.NullMarked;
