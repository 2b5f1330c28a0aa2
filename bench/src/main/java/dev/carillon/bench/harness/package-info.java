/**
 * What benchmarks share: loading a store, receiving what arrives, waiting, progress, results and
 * prices. Uses the functions and the local engine, and no benchmark.
 */
package dev.carillon.bench.harness;
