/** How soon after its due instant a launch arrives. Uses the harness and the local engine. */
package dev.carillon.bench.latency;
