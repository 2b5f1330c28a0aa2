/**
 * Triggers, the conditions that make jobs: the tree of their leaves, how they are read and written,
 * and when they are satisfied. Pure: uses {@code time}, {@code id} and {@code document}.
 */
@NullMarked
package dev.carillon.trigger;

import org.jspecify.annotations.NullMarked;
