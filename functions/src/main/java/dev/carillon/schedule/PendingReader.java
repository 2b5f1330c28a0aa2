package dev.carillon.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Constraints;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.schedule.Timeout.Action;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the time-out and the {@code whilePending} policy from a schedule document. */
final class PendingReader {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(366);

  private PendingReader() {}

  static @Nullable Timeout timeout(Fields document, Constraints constraints) {
    if (!document.has("timeout")) {
      return null;
    }
    Fields fields = document.object("timeout");
    fields.allowOnly(List.of("after", "action"));
    Duration after = fields.duration("after", SHORTEST, LONGEST);
    String action = fields.choice("action", List.of("discard", "launch")).orElse("discard");
    Timeout timeout = new Timeout(after, Action.valueOf(action.toUpperCase(Locale.ROOT)));
    Duration delay = constraints.longestDelay();
    boolean isRead = !fields.isRefused("after") && !fields.isRefused("action");
    if (isRead && timeout.action() == Action.DISCARD && delay.compareTo(after) > 0) {
      fields.refuse(
          "after",
          "the delay of "
              + delay
              + " is longer, so every job would time out; give a longer duration");
    }
    return timeout;
  }

  static WhilePending whilePending(Fields document) {
    String word = document.choice("whilePending", List.of("queue", "merge", "skip"), "queue");
    return WhilePending.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static @Nullable ObjectNode document(@Nullable Timeout timeout) {
    return timeout == null
        ? null
        : Json.object()
            .put("after", timeout.after().toString())
            .put("action", word(timeout.action()));
  }

  static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }
}
