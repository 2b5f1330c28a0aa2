package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A time during which a schedule did something with one document: certainly between {@code
 * beginsBy} and {@code endsFrom}, and certainly not before {@code beginsFrom} and after {@code
 * endsBy}.
 */
record Span(Wish wish, int life, long beginsFrom, long beginsBy, long endsFrom, long endsBy) {

  /** The longest times of which all phases are so, each within one life. */
  static List<Span> of(List<Phase> phases, Predicate<Phase> so) {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      Phase first = phases.get(i);
      if (so.test(first)) {
        int end = i + 1;
        while (end < phases.size()
            && phases.get(end).life() == first.life()
            && so.test(phases.get(end))) {
          end++;
        }
        boolean isLast = end == phases.size();
        spans.add(
            new Span(
                Objects.requireNonNull(first.wish()),
                first.life(),
                first.from(),
                first.by(),
                isLast ? History.NEVER : phases.get(end).from(),
                isLast ? History.NEVER : phases.get(end).by()));
        i = end - 1;
      }
    }
    return spans;
  }

  static boolean isBeside(Kind kind) {
    return switch (kind) {
      case PUT, DELETE, SUSPEND, RESUME -> false;
      case LABEL, LAUNCH, SKIP, BACKFILL, CANCEL -> true;
    };
  }

  /** Whether it may have lasted at some instant that clocks took for this one. */
  boolean mayHold(long instant, long skew) {
    return mayHold(instant, skew, skew);
  }

  /** The same of what may have begun while it lasted, and be dated so much later. */
  boolean mayHold(long instant, long skew, long later) {
    return instant > beginsFrom - skew && (endsBy == History.NEVER || instant <= endsBy + later);
  }
}
