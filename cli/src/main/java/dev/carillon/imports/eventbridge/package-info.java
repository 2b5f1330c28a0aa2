/**
 * Converts schedules of EventBridge Scheduler and rules of EventBridge. It uses the shared parts of
 * importers and the values of schedules.
 */
@NullMarked
package dev.carillon.imports.eventbridge;

import org.jspecify.annotations.NullMarked;
