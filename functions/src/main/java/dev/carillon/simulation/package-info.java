/**
 * The real functions on a virtual clock, in memory: what schedules would do, before they do it.
 * Uses {@code memory} and the functions; no SDK.
 */
@NullMarked
package dev.carillon.simulation;

import org.jspecify.annotations.NullMarked;
