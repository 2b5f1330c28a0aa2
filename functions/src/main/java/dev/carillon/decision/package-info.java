/**
 * The decision about a job: one pure function that the checker carries out and that {@code explain}
 * and launch-now show. Uses {@code job}, {@code gate}, {@code schedule}, {@code launch} and their
 * dependencies; reads nothing itself.
 */
@NullMarked
package dev.carillon.decision;

import org.jspecify.annotations.NullMarked;
