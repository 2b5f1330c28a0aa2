package dev.carillon.console;

import java.util.Map;

/** The headers that every answer of the console has. */
final class Headers {

  /**
   * The page may load from and call only its own server, may not run scripts inside documents, and
   * may not be framed by another page. Only scripts send forms.
   */
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

  private Headers() {}

  static Map<String, String> of(String type) {
    return Map.of(
        "Content-Type",
        type,
        "Content-Security-Policy",
        POLICY,
        "X-Content-Type-Options",
        "nosniff",
        "Referrer-Policy",
        "no-referrer");
  }
}
