/** Converts crontabs. It uses the shared parts of importers and the values of schedules. */
@NullMarked
package dev.carillon.imports.crontab;

import org.jspecify.annotations.NullMarked;
