package dev.carillon.job;

import dev.carillon.id.GateKey;
import dev.carillon.time.Timestamps;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The event or instant that a job waits for. Each kind has the instant at which the attention index
 * shows the job to the master, in case its wake-up is lost. The instant is null for the job of a
 * fire, whose check message is durable and so cannot be lost.
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
    if (this instanceof InPool pool) {
      return pool.retryAt() == null ? "p" : "p" + Timestamps.shortText(pool.retryAt());
    }
    if (this instanceof Conclusion end) {
      return end.at() == null ? "x" : "x" + Timestamps.shortText(end.at());
    }
    return this instanceof Suspended ? "s" : "c";
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
      case 'p' -> new InPool(rest.isEmpty() ? null : Timestamps.ofShortText(rest), attentionAt);
      case 'x' -> new Conclusion(rest.isEmpty() ? null : Timestamps.ofShortText(rest), attentionAt);
      default -> throw new IllegalArgumentException("not a wait: " + text);
    };
  }

  /** The job's next check, and nothing else. */
  record Check(@Nullable Instant attentionAt) implements Wait {}

  /** The first instant at which constraints of the clock can hold. */
  record Opening(Instant at, @Nullable Instant attentionAt) implements Wait {}

  /** The next send of a request that was refused before. */
  record Retry(Instant at, @Nullable Instant attentionAt) implements Wait {}

  /** A gate. */
  record AtGate(GateKey gate, @Nullable Instant attentionAt) implements Wait {}

  /**
   * The choice of a pool.
   *
   * @param retryAt when a request that was refused can be moved again; null if none was refused
   */
  record InPool(@Nullable Instant retryAt, @Nullable Instant attentionAt) implements Wait {}

  /**
   * The end of the suspension of the job's schedule. The checker that ends the suspension sends a
   * check of the job.
   */
  record Suspended() implements Wait {

    @Override
    public Instant attentionAt() {
      return NEVER;
    }
  }

  /** The end of a checker's lease: until then no other checker acts on the job. */
  record Lease(Instant until, @Nullable Instant attentionAt) implements Wait {}

  /**
   * A report about the job's run: that a worker has claimed it, that it goes on, or that it ended.
   * Check messages carry the time-outs of a tracked run, so that a heartbeat writes to no index.
   */
  record Report(Instant until, @Nullable Instant attentionAt) implements Wait {}

  /**
   * The announcement of the job's end. A check message triggers it. If that message is lost, the
   * attention index triggers it. If a report was awaited when the job ended, no entry is needed:
   * the check message of that time-out triggers the announcement. So successes write to no index.
   *
   * @param at when a callback that was refused is sent again; null if none was refused
   */
  record Conclusion(@Nullable Instant at, @Nullable Instant attentionAt) implements Wait {

    /**
     * The announcement of a job that ends; null if its end is not announced. The ends of tracked
     * runs are announced, and the ends of jobs whose schedule wants callbacks.
     *
     * @param job the job, whose wait shows whether a report was awaited
     */
    static @Nullable Conclusion of(Job job, Instant now) {
      if (job.callback() == null && job.run() == null) {
        return null;
      }
      boolean hasOtherMessage = job.callback() == null && job.reportBy() != null;
      return new Conclusion(null, hasOtherMessage ? null : Wakeup.plan(now, now).attentionAt());
    }

    /** The announcement of a job whose callback was refused. */
    static Conclusion callingAgain(Instant at, Instant now) {
      return new Conclusion(at, Wakeup.plan(at, now).attentionAt());
    }
  }
}
