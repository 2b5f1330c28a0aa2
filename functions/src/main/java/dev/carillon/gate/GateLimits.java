package dev.carillon.gate;

import dev.carillon.constraint.Gauge;
import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Limit.GaugeWithin;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.SinceSuccess;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.id.JobId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks limits for one job at one gate and instant.
 *
 * @param self the job, whose own slot does not count; null for any job
 */
record GateLimits(Gate gate, @Nullable JobId self, Instant now) {

  /**
   * Why the job cannot pass, and when this can change. If only an event can open one of the unmet
   * limits, there is no instant; otherwise it is the instant at which the last unmet limit opens. A
   * gate with {@link Gate#MOST_SLOTS} slots lets no job pass, whatever its limits.
   */
  Optional<NotYet> unmet(List<Limit> limits) {
    List<NotYet> unmet = limits.stream().flatMap(limit -> unmet(limit).stream()).toList();
    if (unmet.isEmpty()) {
      return unfinished() < Gate.MOST_SLOTS
          ? Optional.empty()
          : waiting(shown() + " has " + Gate.MOST_SLOTS + " unfinished jobs");
    }
    boolean needsEvent = unmet.stream().anyMatch(one -> one.checkAt() == null);
    Instant latest =
        needsEvent
            ? null
            : unmet.stream()
                .map(NotYet::checkAt)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    String reasons = unmet.stream().map(NotYet::reason).collect(Collectors.joining("; "));
    return Optional.of(new NotYet(latest, reasons));
  }

  private Optional<NotYet> unmet(Limit limit) {
    if (limit instanceof Unfinished unfinished) {
      return unmetConcurrency(unfinished);
    }
    if (limit instanceof GaugeWithin within) {
      return unmetGauge(within);
    }
    return limit instanceof Launches rate ? unmetRate(rate) : unmetPause((SinceSuccess) limit);
  }

  private Optional<NotYet> unmetConcurrency(Unfinished limit) {
    return unfinished() < limit.max()
        ? Optional.empty()
        : waiting(
            "%s is at its limit of unfinished jobs: %d of at most %d"
                .formatted(shown(), unfinished(), limit.max()));
  }

  private Optional<NotYet> unmetGauge(GaugeWithin within) {
    BigDecimal known = gate.knownValue(now).orElse(null);
    if (known == null) {
      return within.openIfUnknown() ? Optional.empty() : waiting(shown() + " is unknown");
    }
    if (within.holds(known)) {
      return Optional.empty();
    }
    Gauge gauge = gate.gauge();
    Instant opening = within.openIfUnknown() && gauge != null ? gauge.expiresAt() : null;
    String side = within.side() == GaugeWithin.Side.AT_MOST ? "at most" : "at least";
    String bound = within.bound().toPlainString();
    return closed(
        opening,
        "%s is %s; %s %s is required".formatted(shown(), known.toPlainString(), side, bound));
  }

  private Optional<NotYet> unmetRate(Launches rate) {
    Instant earliest = launchThatLeaves(rate.max());
    Instant opening = earliest == null ? now : earliest.plus(rate.per());
    return opening.isAfter(now)
        ? closed(
            opening,
            "%s is at its limit of launches within %s: %d"
                .formatted(shown(), rate.per(), rate.max()))
        : Optional.empty();
  }

  /**
   * The first of the last {@code max} launches; null if there were fewer. If it is not remembered,
   * a later one takes its place, so that the rate opens late rather than early.
   */
  private @Nullable Instant launchThatLeaves(int max) {
    List<Instant> launches = gate.launches();
    return launches.size() < max ? gate.past().dropped() : launches.get(launches.size() - max);
  }

  private Optional<NotYet> unmetPause(SinceSuccess pause) {
    if (unfinished() > 0) {
      return waiting(shown() + " has an unfinished run");
    }
    Instant last = gate.lastSuccess();
    if (last == null || !last.plus(pause.duration()).isAfter(now)) {
      return Optional.empty();
    }
    return closed(
        last.plus(pause.duration()),
        "the last successful run of %s ended less than %s ago"
            .formatted(shown(), pause.duration()));
  }

  private int unfinished() {
    return gate.slots().size() - (self != null && gate.holds(self) ? 1 : 0);
  }

  private String shown() {
    return gate.key().shown();
  }

  /** The result for a limit that only an event can open. */
  private static Optional<NotYet> waiting(String reason) {
    return closed(null, reason);
  }

  private static Optional<NotYet> closed(@Nullable Instant opening, String reason) {
    return Optional.of(new NotYet(opening, reason));
  }
}
