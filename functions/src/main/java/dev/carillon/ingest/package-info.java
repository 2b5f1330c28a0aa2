/**
 * The ingest function: counts the events of a batch for the schedules that wait for them, and frees
 * the slots of runs that have ended. Uses {@code collect} and the model; no other function.
 */
@NullMarked
package dev.carillon.ingest;

import org.jspecify.annotations.NullMarked;
