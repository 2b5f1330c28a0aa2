/** How fast events are counted. */
package dev.carillon.bench.events;
