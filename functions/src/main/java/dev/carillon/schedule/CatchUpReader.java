package dev.carillon.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.timer.CatchUp;
import dev.carillon.timer.CatchUp.Policy;
import dev.carillon.trigger.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Reads the catch-up policy for missed fires from a schedule document. */
final class CatchUpReader {

  private static final Duration SHORTEST_WINDOW = Duration.ofMinutes(1);
  private static final Duration LONGEST_WINDOW = Duration.ofDays(3_660);

  private CatchUpReader() {}

  static CatchUp read(Fields document, Trigger trigger) {
    Fields catchUp = document.object("catchUp");
    catchUp.allowOnly(List.of("policy", "window"));
    String policy = catchUp.choice("policy", List.of("all", "latest", "none"), "all");
    Duration window =
        catchUp.has("window") ? catchUp.duration("window", SHORTEST_WINDOW, LONGEST_WINDOW) : null;
    CatchUp read = new CatchUp(Policy.valueOf(policy.toUpperCase(Locale.ROOT)), window);
    if (read.policy() == Policy.NONE && window != null && !catchUp.isRefused("window")) {
      catchUp.refuse(
          "window", "\"policy\" is \"none\", which launches no missed fires; leave it out");
    }
    if (!read.isEverything() && !trigger.isPlainTime() && !document.isRefused("trigger")) {
      document.refuse(
          "catchUp",
          "it applies only if the trigger is a cron, rate or at, or an \"or\" of them; leave it out");
    }
    return read;
  }

  static ObjectNode document(CatchUp catchUp) {
    Duration window = catchUp.window();
    return Json.object()
        .put("policy", word(catchUp.policy()))
        .put("window", window == null ? null : window.toString());
  }

  private static String word(Policy policy) {
    return policy.name().toLowerCase(Locale.ROOT);
  }
}
