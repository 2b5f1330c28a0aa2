/**
 * The ingest function: events of a batch are counted for the schedules that wait for them, and ends
 * of runs free slots. Uses {@code collect} and the model; no other function.
 */
@NullMarked
package dev.carillon.ingest;

import org.jspecify.annotations.NullMarked;
