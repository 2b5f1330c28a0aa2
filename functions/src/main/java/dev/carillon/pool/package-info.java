/**
 * Pools: the definition, the choice of the next jobs by priority and by fair shares among
 * customers, and the port that stores what waits. Pure: uses {@code trigger}, {@code time}, {@code
 * id} and {@code document}.
 */
@NullMarked
package dev.carillon.pool;

import org.jspecify.annotations.NullMarked;
