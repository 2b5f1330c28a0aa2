/**
 * How long a function takes that runs for the first time, and a copy of a snapshot for its first
 * event. Uses the harness and the local engine's isolated processes.
 */
package dev.carillon.bench.coldstart;
