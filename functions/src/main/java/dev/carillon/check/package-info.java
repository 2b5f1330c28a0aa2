/**
 * Check messages, which name what the checker should look at and when, the port to their queue, and
 * the ports that every function shares. Uses {@code backfill}, {@code job} and {@code timer};
 * nothing of a function.
 */
@NullMarked
package dev.carillon.check;

import org.jspecify.annotations.NullMarked;
