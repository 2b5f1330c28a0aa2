/**
 * The decision about a job: one pure function. The checker carries out its result; {@code explain}
 * and launch-now show it. The package uses {@code job}, {@code gate}, {@code schedule}, {@code
 * launch} and their dependencies; it reads nothing itself.
 */
@NullMarked
package dev.carillon.decision;

import org.jspecify.annotations.NullMarked;
