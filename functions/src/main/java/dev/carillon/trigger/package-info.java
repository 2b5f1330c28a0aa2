/**
 * The conditions that make a job ready: their tree of leaves, how they are read and written, and
 * when they are satisfied. Pure: uses {@code time}, {@code id} and {@code document}.
 */
@NullMarked
package dev.carillon.trigger;

import org.jspecify.annotations.NullMarked;
