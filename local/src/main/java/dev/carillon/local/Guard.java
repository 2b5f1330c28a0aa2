package dev.carillon.local;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Determines which requests the servers of the engine refuse: those that a page in a browser can
 * send. Otherwise any page that the user opens could call the servers, because they require no
 * signatures.
 */
final class Guard {

  static final int FORBIDDEN = 403;

  /** The names of the loopback interface, with any port, because a tunnel can have another port. */
  private static final Pattern OWN_HOST =
      Pattern.compile("(?:localhost|127\\.0\\.0\\.1|\\[::1])(?::\\d+)?", Pattern.CASE_INSENSITIVE);

  /**
   * The values of Sec-Fetch-Site for requests from the server's own origin, and for requests that
   * no page sends.
   */
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private Guard() {}

  /**
   * The reason for which a request is refused; null if it is not refused. Browsers set these
   * headers themselves.
   *
   * @param host the header Host; an attacker's DNS server can make any other name resolve to this
   *     machine
   * @param origin the header Origin; absent if no page sends the request, and if a page requests a
   *     picture or follows a link
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
