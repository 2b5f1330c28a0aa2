/**
 * The shared parts of benchmarks: loading a store, receiving launches, waiting, progress, results
 * and prices. It uses the functions and the local engine, and no benchmark.
 */
package dev.carillon.bench.harness;
