package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A reported gauge of a resource.
 *
 * @param expiresAt the instant from which its value is unknown; null for never
 * @param known whether the value has not expired
 * @param waiting how many jobs wait for it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ResourceGauge(
    String namespace,
    String name,
    BigDecimal value,
    @Nullable Instant expiresAt,
    boolean known,
    Instant reportedAt,
    String reportedBy,
    int waiting) {}
