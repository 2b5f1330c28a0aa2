/**
 * Backfills: past fires that users have launched beside what a schedule does by itself, and the
 * port that stores them. Pure: uses {@code job} and {@code id}.
 */
@NullMarked
package dev.carillon.backfill;

import org.jspecify.annotations.NullMarked;
