/**
 * When crons, rates and one-time triggers fire, on a local time line with its gaps and overlaps.
 * Pure: uses cron-utils and nothing of Carillon.
 */
@NullMarked
package dev.carillon.time;

import org.jspecify.annotations.NullMarked;
