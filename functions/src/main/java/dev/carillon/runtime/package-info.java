/**
 * How a function runs: its deadline, parallel calls, random numbers that are safe after a snapshot,
 * back-off and waiting, and optimistic updates. Uses nothing of Carillon.
 */
@NullMarked
package dev.carillon.runtime;

import org.jspecify.annotations.NullMarked;
