/** The entry to the benchmarks, each run by one command. Uses all rooms below; none uses it. */
package dev.carillon.bench;
