/**
 * Reports about the runs of tracked jobs: carries out what they change, and announces the ends of
 * jobs. Uses {@code check}, {@code decision} and their dependencies; nothing of a function.
 */
@NullMarked
package dev.carillon.report;

import org.jspecify.annotations.NullMarked;
