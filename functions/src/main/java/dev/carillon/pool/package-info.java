/**
 * Pools: the definition, the choice of the next jobs by priority and by fair shares among
 * customers, and the port that stores pools and their waiting jobs. The package reads and writes
 * through that port, and reads jobs. Uses {@code job}, {@code run}, {@code trigger}, {@code id} and
 * {@code document}.
 */
@NullMarked
package dev.carillon.pool;

import org.jspecify.annotations.NullMarked;
