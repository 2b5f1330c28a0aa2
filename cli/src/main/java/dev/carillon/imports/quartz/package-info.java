/**
 * Converts jobs and triggers of Quartz. It uses what importers share and the values of schedules.
 */
@NullMarked
package dev.carillon.imports.quartz;

import org.jspecify.annotations.NullMarked;
