/**
 * The master function: one tick expands timers, sends the wake-ups whose messages were lost, and
 * audits the timers once a day. Uses {@code fires}, {@code check} and the model; no other function.
 */
@NullMarked
package dev.carillon.master;

import org.jspecify.annotations.NullMarked;
