/**
 * The stores and queues in memory: the same conditions as the real ones, but deterministic.
 * Implements the same ports as {@code dynamodb} and {@code sqs}; uses no SDK.
 */
@NullMarked
package dev.carillon.memory;

import org.jspecify.annotations.NullMarked;
