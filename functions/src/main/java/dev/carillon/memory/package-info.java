/** The stores and queues in memory: the same conditions as the real ones, but deterministic. */
package dev.carillon.memory;
