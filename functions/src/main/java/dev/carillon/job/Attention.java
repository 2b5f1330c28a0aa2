package dev.carillon.job;

import java.time.Instant;
import java.util.Comparator;

/** Something that needs a look at some instant. */
public record Attention(Subject subject, Instant at, int priority) {

  /** By instant; of those that come at one instant the most urgent first. */
  public static final Comparator<Attention> ORDER =
      Comparator.comparing(Attention::at)
          .thenComparingInt(Attention::priority)
          .thenComparing(attention -> attention.subject().toString());
}
