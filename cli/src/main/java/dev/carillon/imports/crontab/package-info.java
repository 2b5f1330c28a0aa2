/** Converts crontabs. It uses what importers share and the values of schedules. */
@NullMarked
package dev.carillon.imports.crontab;

import org.jspecify.annotations.NullMarked;
