package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.client.JobClaims;
import java.time.Duration;
import java.util.Optional;

/** What a failed request of the API means for a worker. */
final class Refusals {

  private Refusals() {}

  /** The code of a conflict; empty if the failure is another one. */
  static Optional<String> code(RuntimeException failure) {
    return failure instanceof CarillonException.Conflict conflict
        ? Optional.ofNullable(conflict.problem().code())
        : Optional.empty();
  }

  /** Whether the token of the request does not count any more. */
  static boolean isStale(RuntimeException failure) {
    return code(failure).filter(JobClaims.STALE::equals).isPresent();
  }

  /**
   * Whether Carillon knows no such job. Another server at the address, which says nothing, is no
   * witness.
   */
  static boolean isUnknown(RuntimeException failure) {
    return failure instanceof CarillonException.NotFound unknown
        && !unknown.problem().detail().isEmpty();
  }

  /** Whether the same request can succeed later. */
  static boolean isTemporary(RuntimeException failure) {
    return !(failure instanceof CarillonException.Refused)
        || failure instanceof CarillonException.Unavailable
        || (failure instanceof CarillonException.Conflict && code(failure).isEmpty());
  }

  /** The shortest time until the request is sent again, as the server asks for it. */
  static Duration retryAfter(RuntimeException failure) {
    return failure instanceof CarillonException.Unavailable unavailable
        ? unavailable.retryAfter()
        : Duration.ZERO;
  }

  /** The permission that a request needs. */
  static String permission(String namespace, String what) {
    return "execute-api:Invoke on POST /v1/namespaces/%s/jobs/*/%s".formatted(namespace, what);
  }
}
