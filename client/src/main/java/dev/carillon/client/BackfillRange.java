package dev.carillon.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import java.time.Instant;

/**
 * The fires that a backfill launches, and its concurrency.
 *
 * @param from the exclusive beginning of the range
 * @param to the inclusive end of the range, not in the future
 * @param concurrency the limit on its unfinished jobs, 1 to 100
 * @param confirm true to allow more than 10,000 fires
 */
public record BackfillRange(Instant from, Instant to, int concurrency, boolean confirm) {

  /** A range of at most 10,000 fires, launched one after another. */
  public static BackfillRange of(Instant from, Instant to) {
    return new BackfillRange(from, to, 1, false);
  }

  public BackfillRange withConcurrency(int most) {
    return new BackfillRange(from, to, most, confirm);
  }

  /** This range, confirmed for up to 100,000 fires. */
  public BackfillRange confirmed() {
    return new BackfillRange(from, to, concurrency, true);
  }

  ObjectNode body(boolean dryRun) {
    return Json.object()
        .put("from", from.toString())
        .put("to", to.toString())
        .put("concurrency", concurrency)
        .put("confirm", confirm)
        .put("dryRun", dryRun);
  }
}
