/** How soon after its due instant a launch arrives. */
package dev.carillon.bench.latency;
