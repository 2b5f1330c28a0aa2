/** How fast events are counted. Uses the harness and the local engine. */
package dev.carillon.bench.events;
