/**
 * The entry to the benchmarks; each benchmark has a command. The package uses all subpackages; no
 * package uses it.
 */
package dev.carillon.bench;
