/**
 * Measures pools: the shares of customers, and how fast the queue is filled. It uses the harness,
 * the local engine and the client library. It also uses the stores of the functions, to prepare a
 * round and to count jobs.
 */
@NullMarked
package dev.carillon.bench.pools;

import org.jspecify.annotations.NullMarked;
