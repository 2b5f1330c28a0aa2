/** How fast launches go that are all due at once, beside other schedulers. */
package dev.carillon.bench.burst;
