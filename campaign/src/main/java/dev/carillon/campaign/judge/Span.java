package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A time in which a schedule had one document and some property. It certainly had them between
 * {@code beginsBy} and {@code endsFrom}, and certainly did not have them before {@code beginsFrom}
 * or after {@code endsBy}.
 */
record Span(
    ScheduleSpec spec, int life, long beginsFrom, long beginsBy, long endsFrom, long endsBy) {

  /** Joins successive phases of one life that all have the property, each into one span. */
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
                Objects.requireNonNull(first.spec()),
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

  static boolean keepsPhase(Kind kind) {
    return switch (kind) {
      case PUT, DELETE, SUSPEND, RESUME -> false;
      case LABEL, LAUNCH, SKIP, BACKFILL, CANCEL -> true;
    };
  }

  /**
   * Whether the instant may lie in the span. The clock that measured the instant was off by at most
   * {@code skew}.
   */
  boolean mayHold(long instant, long skew) {
    return mayHold(instant, skew, skew);
  }

  /**
   * Like {@link #mayHold(long, long)}, for an instant that may be recorded too late by up to {@code
   * later}.
   */
  boolean mayHold(long instant, long skew, long later) {
    return instant > beginsFrom - skew && (endsBy == History.NEVER || instant <= endsBy + later);
  }
}
