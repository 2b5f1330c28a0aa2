/**
 * Reports about the runs of tracked jobs: carries out what they change, and announces the ends of
 * jobs. Uses {@code check}, {@code decision}, {@code backfill}, {@code pool} and their
 * dependencies, and {@code metrics}; nothing of a function.
 */
@NullMarked
package dev.carillon.report;

import org.jspecify.annotations.NullMarked;
