/**
 * Kills the local engine on disk again and again with SIGKILL while it is under load. It uses the
 * harness, and the engine as a process.
 */
package dev.carillon.bench.crash;
