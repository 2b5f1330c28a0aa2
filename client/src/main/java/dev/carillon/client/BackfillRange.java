package dev.carillon.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import java.time.Instant;

/**
 * Which fires a backfill launches, and how many at a time.
 *
 * @param from exclusive
 * @param to inclusive; not in the future
 * @param concurrency how many of its jobs may be unfinished at a time, 1 to 100
 * @param confirm whether more than 10,000 are meant
 */
public record BackfillRange(Instant from, Instant to, int concurrency, boolean confirm) {

  /** One job after another, at most 10,000. */
  public static BackfillRange of(Instant from, Instant to) {
    return new BackfillRange(from, to, 1, false);
  }

  public BackfillRange withConcurrency(int most) {
    return new BackfillRange(from, to, most, confirm);
  }

  /** However many fires these are, up to 100,000. */
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
