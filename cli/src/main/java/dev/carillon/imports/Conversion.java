package dev.carillon.imports;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a caller adds to a source.
 *
 * @param namespace of items that name none
 * @param queue the target of items that name no SQS queue; null for none
 * @param zone of items whose zone is that of their machine; null if the caller names none
 * @param now what has ended before is not carried over
 */
public record Conversion(
    String namespace, @Nullable String queue, @Nullable String zone, Instant now) {}
