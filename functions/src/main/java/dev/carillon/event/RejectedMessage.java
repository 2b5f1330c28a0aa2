package dev.carillon.event;

import dev.carillon.document.MessageLimits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A rejected event in a form that every SQS queue accepts.
 *
 * @param body the body as it was received, or its beginning; in Base64 if SQS would not accept its
 *     characters
 * @param attributes {@code reason}; {@code encoding} = {@code base64} and {@code truncated} =
 *     {@code true} where they apply
 */
public record RejectedMessage(String body, Map<String, String> attributes) {

  /** The limit leaves room for the attributes. */
  static final int MOST_BODY_BYTES = MessageLimits.MOST_BYTES - 8 * 1024;

  private static final int LONGEST_REASON = 1_000;

  public static RejectedMessage of(String body, String reason) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("reason", clean(reason));
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    if (MessageLimits.accepts(body) && bytes.length <= MOST_BODY_BYTES) {
      return new RejectedMessage(body, Map.copyOf(attributes));
    }
    attributes.put("encoding", "base64");
    int most = MOST_BODY_BYTES / 4 * 3;
    if (bytes.length > most) {
      attributes.put("truncated", "true");
      bytes = Arrays.copyOf(bytes, most);
    }
    return new RejectedMessage(encode(bytes), Map.copyOf(attributes));
  }

  private static String encode(byte[] bytes) {
    return bytes.length == 0 ? "\n" : Base64.getEncoder().encodeToString(bytes);
  }

  private static String clean(String reason) {
    String printable = MessageLimits.clean(reason);
    return MessageLimits.cut(printable.isEmpty() ? "unknown" : printable, LONGEST_REASON, "…");
  }
}
