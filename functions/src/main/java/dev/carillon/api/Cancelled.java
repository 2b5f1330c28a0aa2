package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import java.util.Map;

/**
 * The jobs that a change of a schedule cancels, as far as the change finds them.
 *
 * @param waiting jobs whose trigger was satisfied and that waited for constraints
 * @param collecting collecting jobs
 * @param mayBeMore whether the change may cancel further jobs
 */
record Cancelled(int waiting, int collecting, boolean mayBeMore) {

  static final Cancelled NONE = new Cancelled(0, 0, false);

  /** The header that carries the counts in answers without a body: a dictionary of RFC 8941. */
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
