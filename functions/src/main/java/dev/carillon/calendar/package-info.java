/**
 * Named calendars: the times that are excluded from the fires of schedules, and the port that
 * stores them. Pure: uses {@code time}, {@code id} and {@code document}.
 */
@NullMarked
package dev.carillon.calendar;

import org.jspecify.annotations.NullMarked;
