/** Converts schedules of EventBridge Scheduler and rules of EventBridge. */
@NullMarked
package dev.carillon.imports.eventbridge;

import org.jspecify.annotations.NullMarked;
