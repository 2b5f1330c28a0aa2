package dev.carillon.document;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The form of message group ids and deduplication ids of SQS, and of ids of events: 1 to 128 ASCII
 * letters, digits and punctuation. Turns other texts into a readable prefix and a hash of the whole
 * text, so that different texts stay different.
 */
public final class SqsIdentifier {

  public static final int LONGEST = 128;

  private static final int HASH_BYTES = 8;
  private static final int LONGEST_BEGINNING = LONGEST - 1 - 2 * HASH_BYTES;
  private static final Pattern FITTING = Pattern.compile("[!-~]{1," + LONGEST + "}");
  private static final Pattern FORBIDDEN = Pattern.compile("[^!-~]+");

  private SqsIdentifier() {}

  /** The text if it fits; otherwise one that stands for it. */
  public static String fit(String text) {
    return FITTING.matcher(text).matches()
        ? text
        : abbreviated(FORBIDDEN.matcher(text).replaceAll("_"), text);
  }

  /** Shortens a text to {@link #LONGEST} characters without replacing any of them. */
  public static String shortened(String text) {
    return text.length() <= LONGEST ? text : abbreviated(text, text);
  }

  private static String abbreviated(String beginning, String whole) {
    int end = Math.min(beginning.length(), LONGEST_BEGINNING);
    if (end > 0 && Character.isHighSurrogate(beginning.charAt(end - 1))) {
      end--;
    }
    return beginning.substring(0, end) + "-" + hash(whole);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException fault) {
      throw new IllegalStateException(
          "SHA-256 is not available, which every Java platform must provide", fault);
    }
  }
}
