/**
 * What becomes of a job: one pure function that the checker carries out and that {@code explain}
 * and launch-now ask. Uses {@code job}, {@code gate}, {@code schedule} and what is below them;
 * reads nothing itself.
 */
@NullMarked
package dev.carillon.decision;

import org.jspecify.annotations.NullMarked;
