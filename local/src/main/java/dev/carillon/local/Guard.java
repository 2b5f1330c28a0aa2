package dev.carillon.local;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests a server of this machine refuses: those that a page in a browser can send.
 * Without this, any page that the user opens could call the servers, because they require no
 * signature.
 */
final class Guard {

  static final int FORBIDDEN = 403;

  /** The names of the loopback interface, with any port: a tunnel can have another. */
  private static final Pattern OWN_HOST =
      Pattern.compile("(?:localhost|127\\.0\\.0\\.1|\\[::1])(?::\\d+)?", Pattern.CASE_INSENSITIVE);

  /** Of requests of the server's own origin, and of those that no page sends. */
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private Guard() {}

  /**
   * The reason for which a request is refused; null if it is not. Browsers set these headers
   * themselves.
   *
   * @param host any other name can resolve to this machine by an attacker's DNS server
   * @param origin absent if no page sends the request, and from a page for pictures and links
   * @param site the header Sec-Fetch-Site, which browsers also send for pictures and links
   */
  static @Nullable String refusal(
      @Nullable String host, @Nullable String origin, @Nullable String site) {
    if (host == null || !OWN_HOST.matcher(host).matches()) {
      return "the header Host is \"" + host + "\"; send the request to localhost or 127.0.0.1";
    }
    if (origin != null && !origin.equalsIgnoreCase("http://" + host)) {
      return "the header Origin is \"" + origin + "\"; pages of other origins are refused";
    }
    return site == null || OWN_SITES.contains(site)
        ? null
        : "the header Sec-Fetch-Site is \"" + site + "\"; pages of other origins are refused";
  }
}
