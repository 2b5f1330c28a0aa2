package dev.carillon.campaign.judge;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The clock of a schedule's time-outs: it stands still while jobs are held back, and does not for
 * what is launched by hand meanwhile.
 *
 * @param held when jobs were held back
 */
record StoppedClock(List<Span> held) {

  /** Before this nothing times out that began to wait then. */
  long earliest(long began, long timeout, boolean isByHand) {
    long end = began + timeout;
    for (Span span : held) {
      boolean isMeant = isByHand && span.mayHold(began, Judge.SKEW);
      if (isMeant || span.beginsBy() == History.NEVER) {
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
   * From then on it can time out; NEVER if it need not.
   *
   * @param bound by when that has to be seen to; what is held back before is so afterwards
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
