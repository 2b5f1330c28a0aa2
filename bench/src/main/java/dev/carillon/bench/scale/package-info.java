/** What a tick costs, however many schedules are stored. */
package dev.carillon.bench.scale;
