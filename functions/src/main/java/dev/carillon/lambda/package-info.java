/**
 * The composition root: the Lambda handlers, the environment of a function, its clients, and
 * priming before a snapshot. Uses all packages; no package uses it.
 */
@NullMarked
package dev.carillon.lambda;

import org.jspecify.annotations.NullMarked;
