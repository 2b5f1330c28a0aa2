/**
 * How fast launches go that are all due at once, beside other schedulers. Uses the harness and the
 * local engine.
 */
package dev.carillon.bench.burst;
