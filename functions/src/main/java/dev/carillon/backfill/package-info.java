/** Backfills: past fires that users have launched beside what a schedule does by itself. */
@NullMarked
package dev.carillon.backfill;

import org.jspecify.annotations.NullMarked;
