/**
 * Converts schedules of EventBridge Scheduler and rules of EventBridge. It uses what importers
 * share and the values of schedules.
 */
@NullMarked
package dev.carillon.imports.eventbridge;

import org.jspecify.annotations.NullMarked;
