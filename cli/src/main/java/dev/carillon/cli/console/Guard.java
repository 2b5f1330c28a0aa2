package dev.carillon.cli.console;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Determines which requests come from the browser that the user opened, and from the console's own
 * page. The printed address contains a token, which can be exchanged once for a cookie. The path is
 * random as well. A browser sends a cookie to all ports of a host, but only with requests for the
 * path of the cookie. So no other server of this machine gets the cookie.
 */
final class Guard {

  private static final int SECRET_BYTES = 24;
  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
  private static final String COOKIE = "carillon=";

  private final String host;
  private final String root;
  private final String session;
  private final AtomicReference<@Nullable String> token;

  Guard(String host) {
    SecureRandom random = new SecureRandom();
    this.host = host;
    this.root = "/" + secret(random);
    this.session = secret(random);
    this.token = new AtomicReference<>(secret(random));
  }

  private static String secret(SecureRandom random) {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The beginning of all paths. */
  String root() {
    return root;
  }

  /** The token of the address; it works once. */
  @Nullable String token() {
    return token.get();
  }

  /**
   * The reason to refuse a request that the console's own page did not send; otherwise empty. A
   * page of another site sent such a request, or another site made its own host name resolve to
   * this machine.
   */
  Optional<String> foreign(String method, Headers headers) {
    List<String> hosts = headers.getOrDefault("Host", List.of());
    if (!hosts.equals(List.of(host))) {
      return Optional.of("the host is not " + host);
    }
    List<String> origins = headers.getOrDefault("Origin", List.of());
    boolean hasOwn = origins.equals(List.of("http://" + host));
    if (!hasOwn && (!origins.isEmpty() || !READING.contains(method))) {
      return Optional.of("the request is not from the page at " + host);
    }
    List<String> sites = headers.getOrDefault("Sec-fetch-site", List.of());
    return OWN_SITES.containsAll(sites)
        ? Optional.empty()
        : Optional.of("the request is from another site; type or paste the address");
  }

  /** Whether the browser has the cookie. */
  boolean knows(Headers headers) {
    return headers.getOrDefault("Cookie", List.of()).stream()
        .flatMap(line -> Arrays.stream(line.split("; ?", -1)))
        .anyMatch(cookie -> equal(cookie, COOKIE + session));
  }

  /** The cookie, if the given token is right. The token is then used up. */
  Optional<String> admit(String given) {
    String right = token.get();
    boolean isRight = right != null && equal(given, right) && token.compareAndSet(right, null);
    return isRight
        ? Optional.of(COOKIE + session + "; Path=" + root + "/; HttpOnly; SameSite=Strict")
        : Optional.empty();
  }

  /** Compares two texts. The time of the comparison does not depend on where they differ. */
  private static boolean equal(String given, String right) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
  }
}
