/** Converts jobs and triggers of Quartz. */
@NullMarked
package dev.carillon.imports.quartz;

import org.jspecify.annotations.NullMarked;
