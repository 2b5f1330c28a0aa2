package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import java.util.Map;

/**
 * The jobs that a change of a schedule cancels, as far as they are found while it is made.
 *
 * @param waiting those whose trigger was satisfied, and that waited for constraints
 * @param collecting those whose trigger was not satisfied yet, with what they had counted
 * @param mayBeMore whether others may be cancelled as well
 */
record Cancelled(int waiting, int collecting, boolean mayBeMore) {

  static final Cancelled NONE = new Cancelled(0, 0, false);

  /** What answers without a body tell it by: a dictionary as RFC 8941 has it. */
  static final String HEADER = "Carillon-Cancelled";

  Cancelled plus(Cancelled other) {
    return new Cancelled(
        waiting + other.waiting, collecting + other.collecting, mayBeMore || other.mayBeMore);
  }

  ObjectNode view() {
    return Json.object()
        .put("waiting", waiting)
        .put("collecting", collecting)
        .put("mayBeMore", mayBeMore);
  }

  Map<String, String> header() {
    String counts = "waiting=" + waiting + ", collecting=" + collecting;
    return Map.of(HEADER, mayBeMore ? counts + ", may-be-more" : counts);
  }
}
