package dev.carillon.console;

import java.util.Map;

/** The headers that every answer of the console has. */
final class Headers {

  /**
   * Lets the page load and call nothing but its own server, run no script of a document, and be
   * framed by no other page. Forms are sent by scripts alone.
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
