/** Converts crontabs. */
@NullMarked
package dev.carillon.imports.crontab;

import org.jspecify.annotations.NullMarked;
