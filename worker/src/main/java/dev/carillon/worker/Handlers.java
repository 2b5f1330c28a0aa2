package dev.carillon.worker;

import java.util.Map;
import java.util.Optional;

/**
 * The handlers of a worker.
 *
 * @param byProgram the handlers; a key is a program of any namespace, or {@code namespace/program}
 */
record Handlers(Map<String, Handler> byProgram) {

  /**
   * The handler of a request's program. A handler for the namespace of the request takes
   * precedence.
   */
  Optional<Handler> of(LaunchRequest request) {
    Handler own = byProgram.get(request.namespace() + "/" + request.program());
    return Optional.ofNullable(own == null ? byProgram.get(request.program()) : own);
  }

  /** Why a request is not handled. */
  static String missing(LaunchRequest request) {
    return "no handler for the program " + request.program();
  }
}
