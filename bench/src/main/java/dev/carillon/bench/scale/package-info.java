/**
 * What a tick costs, however many schedules are stored. Uses the harness and the local engine's
 * meter.
 */
package dev.carillon.bench.scale;
