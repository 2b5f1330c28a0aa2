/**
 * Backfills: launches of past fires, apart from a schedule's own, and the port that stores them.
 * Pure: uses {@code job} and {@code id}.
 */
@NullMarked
package dev.carillon.backfill;

import org.jspecify.annotations.NullMarked;
