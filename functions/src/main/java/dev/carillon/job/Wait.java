package dev.carillon.job;

import dev.carillon.id.GateKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an unfinished job waits for. Each kind says when the master looks for it in the attention
 * index, in case the wake-up that it waits for was lost; null for a plain fire, whose check message
 * is durable.
 */
public sealed interface Wait {

  /** So late that it never comes: its row is in the index to be counted as unfinished. */
  Instant NEVER = Instant.parse("9999-12-31T23:59:59Z");

  /** When the master has the job checked if nothing else did. */
  @Nullable Instant attentionAt();

  /** A short text of the kind and what is particular of it: {@link #parse} reads it again. */
  default String text() {
    if (this instanceof Opening opening) {
      return "o" + short36(opening.at());
    }
    if (this instanceof Retry retry) {
      return "r" + short36(retry.at());
    }
    if (this instanceof AtGate atGate) {
      return "g" + atGate.gate();
    }
    if (this instanceof Lease lease) {
      return "l" + short36(lease.until());
    }
    return this instanceof Suspended ? "s" : this instanceof RunEnd ? "e" : "c";
  }

  /**
   * Reads the text of a wait.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Wait parse(String text, @Nullable Instant attentionAt) {
    String rest = text.substring(1);
    return switch (text.charAt(0)) {
      case 'c' -> new Check(attentionAt);
      case 'o' -> new Opening(instant(rest), attentionAt);
      case 'r' -> new Retry(instant(rest), attentionAt);
      case 'g' -> new AtGate(GateKey.parse(rest), attentionAt);
      case 's' -> new Suspended();
      case 'l' -> new Lease(instant(rest), attentionAt);
      case 'e' -> new RunEnd(attentionAt);
      default -> throw new IllegalArgumentException("not a wait: " + text);
    };
  }

  private static String short36(Instant instant) {
    return Long.toString(instant.toEpochMilli(), Character.MAX_RADIX);
  }

  private static Instant instant(String short36) {
    return Instant.ofEpochMilli(Long.parseLong(short36, Character.MAX_RADIX));
  }

  /** Nothing but its next check. */
  record Check(@Nullable Instant attentionAt) implements Wait {}

  /** The first instant at which constraints that follow from the clock can hold. */
  record Opening(Instant at, @Nullable Instant attentionAt) implements Wait {}

  /** The next try to send a request that was not accepted. */
  record Retry(Instant at, @Nullable Instant attentionAt) implements Wait {}

  /** Its turn at a gate. */
  record AtGate(GateKey gate, @Nullable Instant attentionAt) implements Wait {}

  /** The end of its schedule's suspension, which wakes it by itself. */
  record Suspended() implements Wait {

    @Override
    public Instant attentionAt() {
      return NEVER;
    }
  }

  /** The checker that sends its request: until then no other checker acts on the job. */
  record Lease(Instant until, @Nullable Instant attentionAt) implements Wait {}

  /** The report of its run's end, which times out at {@code attentionAt}. */
  record RunEnd(@Nullable Instant attentionAt) implements Wait {}
}
