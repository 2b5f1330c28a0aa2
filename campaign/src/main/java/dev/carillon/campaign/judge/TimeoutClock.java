package dev.carillon.campaign.judge;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The clock of a schedule's time-outs. It stops while jobs are held back, but not for jobs that a
 * user launches manually meanwhile.
 *
 * @param held when jobs were held back
 */
record TimeoutClock(List<Span> held) {

  /** The earliest instant at which a job that began at {@code began} can time out. */
  long earliest(long began, long timeout, boolean isManual) {
    long end = began + timeout;
    for (Span span : held) {
      boolean isConcerned = isManual && span.mayHold(began, Judge.SKEW);
      if (isConcerned || span.beginsBy() == History.NEVER) {
        continue;
      }
      long from = Math.max(began, span.beginsBy() + Judge.SKEW);
      if (from < end && span.endsFrom() == History.NEVER) {
        return History.NEVER;
      }
      end += from < end ? Math.max(0, span.endsFrom() - Judge.SKEW - from) : 0;
    }
    return end;
  }

  /**
   * The latest instant at which the job must time out; NEVER if it need not.
   *
   * @param bound the latest instant at which a time-out is processed; a hold that begins before it
   *     stops the clock
   */
  long latest(long began, long timeout, LongUnaryOperator bound) {
    long end = began + timeout;
    for (Span span : held) {
      long from = Math.max(began, span.beginsFrom() - Judge.SKEW);
      if (from > bound.applyAsLong(end) || span.endsBy() < began) {
        continue;
      }
      if (span.endsBy() == History.NEVER) {
        return History.NEVER;
      }
      long to = span.endsBy() + Judge.SKEW;
      end = Math.max(to, from <= end ? end + to - from : end);
    }
    return end;
  }
}
