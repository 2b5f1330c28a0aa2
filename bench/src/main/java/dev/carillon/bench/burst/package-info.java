/**
 * The rate of launches that are all due at once, compared with other schedulers. It uses the
 * harness and the local engine.
 */
package dev.carillon.bench.burst;
