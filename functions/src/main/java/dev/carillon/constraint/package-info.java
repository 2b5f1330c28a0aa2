/**
 * The constraints of a schedule, which must hold before a satisfied job launches, and the limits
 * that they set at gates. Pure: uses {@code id} and {@code document}.
 */
@NullMarked
package dev.carillon.constraint;

import org.jspecify.annotations.NullMarked;
