package dev.carillon.id;

import java.time.Instant;
import java.util.Comparator;

/** Something that needs a look at some instant. */
public record Attention(Subject subject, Instant at, int priority) {

  /** By instant; of those that come at one instant the most urgent first. */
  public static final Comparator<Attention> ORDER = Attention::compare;

  private static int compare(Attention one, Attention other) {
    int order = one.at().compareTo(other.at());
    order = order == 0 ? Integer.compare(one.priority(), other.priority()) : order;
    return order == 0 ? one.subject().toString().compareTo(other.subject().toString()) : order;
  }
}
