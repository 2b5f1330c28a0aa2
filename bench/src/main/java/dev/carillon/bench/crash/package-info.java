/** The local engine on disk, killed with SIGKILL again and again under load. */
package dev.carillon.bench.crash;
