/**
 * The master function: one tick expands timers, finds what messages forgot, and audits timers once
 * a day. Uses {@code fires}, {@code check} and the model; no other function.
 */
@NullMarked
package dev.carillon.master;

import org.jspecify.annotations.NullMarked;
