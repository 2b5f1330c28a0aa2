package dev.carillon.api;

import java.util.Locale;

/**
 * The kinds of refusal. Callers decide by the type what to do next, so the name and the meaning of
 * a type never change; {@code docs/reference/problems.md} lists each with its causes and its
 * remedy.
 */
enum ProblemType {
  INVALID_REQUEST(400, "The request is invalid"),
  NOT_FOUND(404, "Nothing is stored under this name"),
  UNKNOWN_ROUTE(404, "The API has no such route"),
  METHOD_NOT_ALLOWED(405, "The route does not take this method"),
  STATE_CONFLICT(409, "The stored state does not allow this"),
  SUPERSEDED(409, "The attempt has ended, or another worker has it"),
  NOT_YET(409, "The attempt cannot be claimed now"),
  STALE_CLAIM(409, "The token is not that of the present claim"),
  CONCURRENT_CHANGE(409, "Another change is under way"),
  PRECONDITION_FAILED(412, "If-Match or If-None-Match does not hold"),
  BODY_TOO_LARGE(413, "The body is too large"),
  UNSUPPORTED_MEDIA_TYPE(415, "The body is not JSON in UTF-8"),
  THROTTLED(429, "Too many requests"),
  INTERNAL_ERROR(500, "Carillon failed"),
  INCOMPLETE(503, "The request was carried out in part");

  private static final String PREFIX = "urn:carillon:problem:";

  private final int status;
  private final String title;

  ProblemType(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The URI that the member {@code type} of a problem document holds. */
  String uri() {
    return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  int status() {
    return status;
  }

  String title() {
    return title;
  }
}
