/**
 * The cost of a tick by the number of stored schedules. It uses the harness and the local engine's
 * meter.
 */
package dev.carillon.bench.scale;
