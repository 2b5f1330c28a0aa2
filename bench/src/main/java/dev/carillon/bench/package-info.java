/** The benchmarks, each run by one command. */
package dev.carillon.bench;
