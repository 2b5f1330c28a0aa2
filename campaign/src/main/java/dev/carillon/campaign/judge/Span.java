package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A time during which a schedule was active with one document: certainly between {@code beginsBy}
 * and {@code endsFrom}, and certainly not before {@code beginsFrom} and after {@code endsBy}.
 */
record Span(Wish wish, long beginsFrom, long beginsBy, long endsFrom, long endsBy) {

  static List<Span> of(List<Operation> operations) {
    List<Span> spans = new ArrayList<>();
    Wish wish = null;
    Operation begun = null;
    for (Operation operation : operations) {
      boolean changes = operation.done() || operation.isUnknown();
      if (!changes || isBeside(operation.kind())) {
        continue;
      }
      if (operation.kind() == Kind.RESUME && begun != null) {
        continue;
      }
      add(spans, wish, begun, operation);
      begun = null;
      if (operation.kind() == Kind.PUT) {
        wish = operation.wish();
        begun = operation;
      } else if (operation.kind() == Kind.RESUME && wish != null) {
        begun = operation;
      } else if (operation.kind() == Kind.DELETE) {
        wish = null;
      }
    }
    add(spans, wish, begun, null);
    return spans;
  }

  private static boolean isBeside(Kind kind) {
    return kind == Kind.LABEL || kind == Kind.LAUNCH || kind == Kind.SKIP || kind == Kind.BACKFILL;
  }

  private static void add(
      List<Span> spans, @Nullable Wish wish, @Nullable Operation begun, @Nullable Operation end) {
    if (wish != null && begun != null) {
      long endsFrom = end == null ? History.NEVER : end.called();
      long endsBy = end == null ? History.NEVER : end.returned();
      spans.add(new Span(wish, begun.called(), begun.returned(), endsFrom, endsBy));
    }
  }

  /** Whether it may have been active at some instant that clocks took for this one. */
  boolean mayHold(long instant, long skew) {
    return instant > beginsFrom - skew && (endsBy == History.NEVER || instant <= endsBy + skew);
  }
}
