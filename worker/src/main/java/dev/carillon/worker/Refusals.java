package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Runs;
import java.time.Duration;

/** Determines what a failed request to the API means for a worker. */
final class Refusals {

  private static final String NOT_FOUND = "urn:carillon:problem:not-found";

  private Refusals() {}

  /** Whether the request was refused with this type of problem. */
  static boolean isOf(String type, RuntimeException failure) {
    return failure instanceof CarillonException.Refused refused
        && refused.problem().type().equals(type);
  }

  /**
   * Whether Carillon has answered that there is no such job. A 404 of another server at the
   * address, or of a server without this route, does not count.
   */
  static boolean isUnknown(RuntimeException failure) {
    return isOf(NOT_FOUND, failure);
  }

  /** Whether the same request can succeed later. */
  static boolean isTemporary(RuntimeException failure) {
    return !(failure instanceof CarillonException.Refused)
        || failure instanceof CarillonException.Unavailable
        || isOf(Runs.CONCURRENT_CHANGE, failure);
  }

  /**
   * The pause before a request is sent again: at least as long as the server asked.
   *
   * @param usual the pause if the server asked for none
   * @param longest the pause if the server asked for a longer one, for example for maintenance
   */
  static Duration pause(RuntimeException failure, Duration usual, Duration longest) {
    Duration asked =
        failure instanceof CarillonException.Unavailable unavailable
            ? unavailable.retryAfter()
            : Duration.ZERO;
    Duration pause = asked.compareTo(usual) > 0 ? asked : usual;
    return pause.compareTo(longest) > 0 ? longest : pause;
  }

  /** The permission to pull from a pool. */
  static String permission(PoolAddress pool) {
    return "execute-api:Invoke on POST /v1/namespaces/%s/pools/%s/next"
        .formatted(pool.namespace(), pool.pool());
  }

  /** The permission that a request about jobs needs. */
  static String permission(String namespace, String what) {
    return "execute-api:Invoke on POST /v1/namespaces/%s/jobs/*/%s".formatted(namespace, what);
  }
}
