/**
 * The checker function: decides for each job of a check message whether it launches, waits or ends,
 * and sends the launch requests. Uses {@code collect}, {@code fires}, {@code launch} and the model;
 * no other function.
 */
@NullMarked
package dev.carillon.checker;

import org.jspecify.annotations.NullMarked;
