/**
 * Deterministic stores and queues in memory, with the same conditions as the real ones. Implements
 * the same ports as {@code dynamodb} and {@code sqs} without an SDK.
 */
@NullMarked
package dev.carillon.memory;

import org.jspecify.annotations.NullMarked;
