/**
 * The entry to the benchmarks; each runs by one command. The package uses all subpackages; no
 * package uses it.
 */
package dev.carillon.bench;
