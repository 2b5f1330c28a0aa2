/** Measures pools: the shares of customers, and how fast the queue is filled. */
@NullMarked
package dev.carillon.bench.pools;

import org.jspecify.annotations.NullMarked;
