/**
 * The real functions on a virtual clock, in memory: shows what schedules would do before they are
 * stored. Uses {@code memory} and the functions; no SDK.
 */
@NullMarked
package dev.carillon.simulation;

import org.jspecify.annotations.NullMarked;
