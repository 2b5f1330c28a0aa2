/**
 * How a function runs: its deadline, parallel requests, random numbers that survive a snapshot,
 * back-off and waiting, and how it changes what others change as well. Uses nothing of Carillon.
 */
@NullMarked
package dev.carillon.runtime;

import org.jspecify.annotations.NullMarked;
