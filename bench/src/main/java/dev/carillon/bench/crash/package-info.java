/**
 * The local engine on disk, killed with SIGKILL again and again under load. Uses the harness, and
 * the engine as a process.
 */
package dev.carillon.bench.crash;
