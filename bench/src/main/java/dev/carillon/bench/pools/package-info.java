/**
 * Measures pools: the shares of customers, and how fast the queue is filled. It uses the harness,
 * the local engine, the client library, and the stores of the functions for what it prepares and
 * counts.
 */
@NullMarked
package dev.carillon.bench.pools;

import org.jspecify.annotations.NullMarked;
