/** The entry to the benchmarks; each runs by one command. It uses all subpackages; none uses it. */
package dev.carillon.bench;
