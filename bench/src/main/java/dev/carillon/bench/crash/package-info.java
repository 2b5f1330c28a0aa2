/**
 * Kills the local engine on disk repeatedly with SIGKILL under load. It uses the harness, and the
 * engine as a process.
 */
package dev.carillon.bench.crash;
