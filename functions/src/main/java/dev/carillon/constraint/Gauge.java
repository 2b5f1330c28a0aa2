package dev.carillon.constraint;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a user reported of a resource.
 *
 * @param expiresAt from when on its value is unknown; null for never
 */
public record Gauge(
    BigDecimal value, @Nullable Instant expiresAt, Instant reportedAt, String reportedBy) {

  /** How many digits a value, or a bound of one, has at most before and behind the point. */
  public static final int MOST_DIGITS = 18;

  /** The value; empty if it has expired. */
  public Optional<BigDecimal> known(Instant now) {
    return expiresAt == null || expiresAt.isAfter(now) ? Optional.of(value) : Optional.empty();
  }
}
