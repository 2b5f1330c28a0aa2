package dev.carillon.constraint;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The value of a resource as a user reported it.
 *
 * @param expiresAt the instant from which the value is unknown; null for never
 */
public record Gauge(
    BigDecimal value, @Nullable Instant expiresAt, Instant reportedAt, String reportedBy) {

  /** The most digits of a value or a bound before and after the decimal point. */
  public static final int MOST_DIGITS = 18;

  /** The value; empty if it has expired. */
  public Optional<BigDecimal> known(Instant now) {
    return expiresAt == null || expiresAt.isAfter(now) ? Optional.of(value) : Optional.empty();
  }
}
