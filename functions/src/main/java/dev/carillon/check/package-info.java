/**
 * Check messages, which name the subjects to check and when, the port to their queue, and the ports
 * that all functions share. Uses {@code backfill}, {@code job}, {@code pool} and {@code timer};
 * nothing of a function.
 */
@NullMarked
package dev.carillon.check;

import org.jspecify.annotations.NullMarked;
