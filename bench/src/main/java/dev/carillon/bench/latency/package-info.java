/**
 * The delay between the due instant of a launch and its arrival. It uses the harness and the local
 * engine.
 */
package dev.carillon.bench.latency;
