/**
 * The composition root: the Lambda handlers, the environment of a function, its clients, and
 * priming before a snapshot. Uses everything; nothing uses it.
 */
@NullMarked
package dev.carillon.lambda;

import org.jspecify.annotations.NullMarked;
