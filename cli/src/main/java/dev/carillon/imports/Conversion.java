package dev.carillon.imports;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The values that a caller adds to a source.
 *
 * @param namespace the namespace of items that name none
 * @param queue the target queue of items that name no SQS queue; null for none
 * @param zone the zone of items that use the zone of their machine; null if the caller names none
 * @param now the present instant; items that have ended before it are left out
 */
public record Conversion(
    String namespace, @Nullable String queue, @Nullable String zone, Instant now) {}
