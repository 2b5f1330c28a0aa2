/** Named calendars: times that are excluded from the fires of schedules. */
@NullMarked
package dev.carillon.calendar;

import org.jspecify.annotations.NullMarked;
