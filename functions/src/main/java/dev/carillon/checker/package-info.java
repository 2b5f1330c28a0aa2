/**
 * The checker function: decides for each job that a check names whether it launches, waits or ends,
 * and sends the requests. Uses {@code collect}, {@code fires}, {@code launch} and the model; no
 * other function.
 */
@NullMarked
package dev.carillon.checker;

import org.jspecify.annotations.NullMarked;
