package dev.carillon.job;

import dev.carillon.id.GateKey;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The event or instant that a job waits for. Each kind says when the attention index shows the job
 * to the master, in case its wake-up is lost; null for the job of a fire, whose check message is
 * durable.
 */
public sealed interface Wait {

  /**
   * An instant that never comes. It keeps a job in the index, where unfinished jobs are counted.
   */
  Instant NEVER = Instant.parse("9999-12-31T23:59:59Z");

  /** When the master sends a check of the job if no message brought one earlier. */
  @Nullable Instant attentionAt();

  /** A short text that {@link #parse} reads. */
  default String text() {
    if (this instanceof Opening opening) {
      return "o" + Timestamps.shortText(opening.at());
    }
    if (this instanceof Retry retry) {
      return "r" + Timestamps.shortText(retry.at());
    }
    if (this instanceof AtGate atGate) {
      return "g" + atGate.gate();
    }
    if (this instanceof Lease lease) {
      return "l" + Timestamps.shortText(lease.until());
    }
    if (this instanceof Report report) {
      return "e" + Timestamps.shortText(report.until());
    }
    return this instanceof Suspended ? "s" : this instanceof Conclusion ? "x" : "c";
  }

  /**
   * Reads a text of {@link #text}.
   *
   * @throws IllegalArgumentException if the text is not a wait
   */
  static Wait parse(String text, @Nullable Instant attentionAt) {
    String rest = text.substring(1);
    return switch (text.charAt(0)) {
      case 'c' -> new Check(attentionAt);
      case 'o' -> new Opening(Timestamps.ofShortText(rest), attentionAt);
      case 'r' -> new Retry(Timestamps.ofShortText(rest), attentionAt);
      case 'g' -> new AtGate(GateKey.parse(rest), attentionAt);
      case 's' -> new Suspended();
      case 'l' -> new Lease(Timestamps.ofShortText(rest), attentionAt);
      case 'e' -> new Report(Timestamps.ofShortText(rest), attentionAt);
      case 'x' -> new Conclusion();
      default -> throw new IllegalArgumentException("not a wait: " + text);
    };
  }

  /** Only its next check. */
  record Check(@Nullable Instant attentionAt) implements Wait {}

  /** The first instant at which constraints of the clock can hold. */
  record Opening(Instant at, @Nullable Instant attentionAt) implements Wait {}

  /** The next send of a request that was refused. */
  record Retry(Instant at, @Nullable Instant attentionAt) implements Wait {}

  /** A gate. */
  record AtGate(GateKey gate, @Nullable Instant attentionAt) implements Wait {}

  /** The end of its schedule's suspension, which sends a check of the job. */
  record Suspended() implements Wait {

    @Override
    public Instant attentionAt() {
      return NEVER;
    }
  }

  /** The end of a checker's lease: until then no other checker acts on the job. */
  record Lease(Instant until, @Nullable Instant attentionAt) implements Wait {}

  /**
   * A report about its run: that a worker has claimed it, that it goes on, or that it ended. Check
   * messages carry the time-outs of a tracked run, so that a heartbeat writes to no index.
   */
  record Report(Instant until, @Nullable Instant attentionAt) implements Wait {}

  /** The job has ended, and its end is still to be announced; a check message does it. */
  record Conclusion() implements Wait {

    @Override
    public @Nullable Instant attentionAt() {
      return null;
    }
  }
}
