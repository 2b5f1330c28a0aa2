package dev.carillon.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** AWS Signature Version 4 as AWS describes it, to check others' signatures with. */
final class SigV4 {

  private SigV4() {}

  /** A request as it arrived: header names in lower case. */
  record Request(
      String method, String path, String query, Map<String, String> headers, byte[] body) {}

  /**
   * @param path encoded as it was sent; every segment is encoded once more
   * @param signed names of the headers that are signed
   */
  static String signature(Request request, List<String> signed, String scope, String secret) {
    String canonical =
        String.join(
            "\n",
            request.method(),
            Arrays.stream(request.path().split("/", -1))
                .map(SigV4::encoded)
                .collect(Collectors.joining("/")),
            Arrays.stream(request.query().split("&")).sorted().collect(Collectors.joining("&")),
            signed.stream()
                .map(name -> name + ":" + request.headers().get(name).strip() + "\n")
                .collect(Collectors.joining()),
            String.join(";", signed),
            hex(hash(request.body())));
    String toSign =
        String.join(
            "\n",
            "AWS4-HMAC-SHA256",
            request.headers().get("x-amz-date"),
            scope,
            hex(hash(canonical.getBytes(StandardCharsets.UTF_8))));
    byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
    for (String part : scope.split("/")) {
      key = mac(key, part);
    }
    return hex(mac(key, toSign));
  }

  private static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] hash(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] mac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
