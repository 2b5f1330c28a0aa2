package dev.carillon.constraint;

import dev.carillon.constraint.Verdict.Never;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.constraint.Verdict.Satisfied;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All constraints of one schedule. A delay comes first; the others are checked when it has passed.
 * Then all must hold at one instant. A constraint that does not hold ends the job if it says {@code
 * skip}, otherwise the job waits.
 *
 * @param zone the schedule's zone
 */
public record Constraints(List<Constraint> all, ZoneId zone) {

  public static final int MOST = 10;

  /**
   * The most openings that are tried in the search for an instant at which all windows are open.
   */
  private static final int MOST_OPENINGS = 2_000;

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /**
   * A constraint that does not hold, and why.
   *
   * @param opensAt the earliest instant at which the constraint can hold; null if only an event can
   *     make it hold
   */
  public record Unmet(Constraint constraint, String reason, @Nullable Instant opensAt) {}

  /** Checks the constraints of the clock. */
  public Verdict byClock(Instant triggeredAt, Instant now) {
    List<Unmet> unmet = unmetByClock(triggeredAt, now);
    if (unmet.isEmpty()) {
      return new Satisfied();
    }
    boolean isDelayed = unmet.stream().anyMatch(one -> one.constraint() instanceof Delay);
    Optional<Unmet> skipping =
        unmet.stream().filter(one -> one.constraint().onUnmet() == OnUnmet.SKIP).findFirst();
    if (skipping.isPresent() && !isDelayed) {
      return new Never(skipping.get().reason());
    }
    String reasons =
        unmet.stream()
            .filter(one -> one.constraint().onUnmet() == OnUnmet.WAIT)
            .map(Unmet::reason)
            .collect(Collectors.joining("; "));
    Instant from = delayedUntil(triggeredAt, now);
    if (windows(OnUnmet.SKIP).anyMatch(window -> !window.isOpen(from, zone))) {
      return new NotYet(from, reasons);
    }
    return commonOpening(from, windows(OnUnmet.WAIT).toList())
        .<Verdict>map(opening -> new NotYet(opening, reasons))
        .orElseGet(() -> new Never("its time windows are never open at the same time"));
  }

  /** The constraints of the clock that do not hold. */
  public List<Unmet> unmetByClock(Instant triggeredAt, Instant now) {
    List<Unmet> unmet = new ArrayList<>();
    for (Constraint constraint : all) {
      if (constraint instanceof Delay delay && delay.end(triggeredAt).isAfter(now)) {
        unmet.add(new Unmet(delay, delay.reason(), delay.end(triggeredAt)));
      } else if (constraint instanceof TimeWindow window && !window.isOpen(now, zone)) {
        unmet.add(new Unmet(window, window.reason(zone), window.nextOpening(now, zone)));
      }
    }
    return unmet;
  }

  /** The constraints at gates. */
  public List<GateConstraint> atGates() {
    List<GateConstraint> atGates = new ArrayList<>();
    for (Constraint constraint : all) {
      if (constraint instanceof GateConstraint atGate) {
        atGates.add(atGate);
      }
    }
    return atGates;
  }

  /** The longest delay; zero if there is none. */
  public Duration longestDelay() {
    return all.stream()
        .filter(Delay.class::isInstance)
        .map(delay -> ((Delay) delay).duration())
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private Instant delayedUntil(Instant triggeredAt, Instant now) {
    Stream<Instant> ends =
        all.stream().filter(Delay.class::isInstance).map(delay -> ((Delay) delay).end(triggeredAt));
    return Stream.concat(Stream.of(now), ends).max(Comparator.naturalOrder()).orElse(now);
  }

  private Stream<TimeWindow> windows() {
    return all.stream().filter(TimeWindow.class::isInstance).map(TimeWindow.class::cast);
  }

  private Stream<TimeWindow> windows(OnUnmet onUnmet) {
    return windows().filter(window -> window.onUnmet() == onUnmet);
  }

  /** The first instant from {@code from} on at which all these windows are open. */
  private Optional<Instant> commonOpening(Instant from, List<TimeWindow> windows) {
    Instant instant = from;
    for (int opening = 0; opening < MOST_OPENINGS; opening++) {
      Instant at = instant;
      Optional<Instant> later =
          windows.stream()
              .filter(window -> !window.isOpen(at, zone))
              .map(window -> window.nextOpening(at, zone))
              .max(Comparator.naturalOrder());
      if (later.isEmpty()) {
        return Optional.of(instant);
      }
      instant = later.get();
    }
    return Optional.empty();
  }

  /**
   * Whether the windows are ever open at the same time after an instant.
   *
   * @param isSkippingIncluded false if the windows with {@code skip} need not be open
   */
  boolean canHold(Instant after, boolean isSkippingIncluded) {
    List<TimeWindow> needed =
        windows().filter(it -> isSkippingIncluded || it.onUnmet() == OnUnmet.WAIT).toList();
    return commonOpening(after, needed).isPresent();
  }
}
