/**
 * Measures a worker process on the local engine. It uses the harness, the engine, the client and
 * the worker library.
 */
package dev.carillon.bench.workers;
