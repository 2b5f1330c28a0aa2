package dev.carillon.worker;

import java.time.Duration;
import java.util.Comparator;

/**
 * The order of waiting requests: priority 0 first, then the oldest. A request that is older by one
 * step counts as one priority more urgent, so that no request waits for ever.
 *
 * <p>All requests age at the same rate, so the order of two of them never changes. The order
 * therefore needs no clock: it compares the instants at which the queue accepted the requests.
 */
final class Urgency implements Comparator<Delivery> {

  private final Duration step;

  Urgency(Duration step) {
    this.step = step;
  }

  @Override
  public int compare(Delivery one, Delivery other) {
    return Comparator.comparingLong(this::rank)
        .thenComparing(delivery -> delivery.request().priority())
        .thenComparing(Delivery::receivedAt)
        .compare(one, other);
  }

  private long rank(Delivery delivery) {
    return delivery.sentAt().toEpochMilli() + delivery.request().priority() * step.toMillis();
  }
}
