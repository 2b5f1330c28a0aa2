/**
 * The run of a tracked job: its time-outs, its retries, and the claim of the worker that carries it
 * out. Pure: uses nothing of Carillon.
 */
@NullMarked
package dev.carillon.run;

import org.jspecify.annotations.NullMarked;
