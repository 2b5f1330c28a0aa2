/**
 * The duration of a function's cold start, and of the first event of a restored snapshot. It uses
 * the harness and the local engine's isolated processes.
 */
package dev.carillon.bench.coldstart;
