/**
 * Converts jobs and triggers of Quartz. It uses the shared parts of importers and the values of
 * schedules.
 */
@NullMarked
package dev.carillon.imports.quartz;

import org.jspecify.annotations.NullMarked;
