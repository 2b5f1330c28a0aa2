package dev.carillon.api;

import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The opaque position where the next page of a list begins. It carries a digest of the list and its
 * filters, so that a changed cursor, or the cursor of another list, is refused.
 */
final class Cursor {

  private static final int SEAL_BYTES = 8;

  private Cursor() {}

  static @Nullable String seal(String list, @Nullable String position) {
    if (position == null) {
      return null;
    }
    byte[] text = position.getBytes(StandardCharsets.UTF_8);
    byte[] sealed = Arrays.copyOf(sealOf(list, position), SEAL_BYTES + text.length);
    System.arraycopy(text, 0, sealed, SEAL_BYTES, text.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  /**
   * The sealed position; null if the query has no {@code next}. An invalid position is a fault, and
   * gives null.
   *
   * @param isPosition whether the list can continue there. The digest does not authenticate: every
   *     caller can compute it
   */
  static @Nullable String open(Fields query, String list, Predicate<String> isPosition) {
    if (!query.has("next")) {
      return null;
    }
    String position = opened(query.get("next").asText(), list);
    if (position == null || !isPosition.test(position)) {
      query.refuse(
          "next",
          "the cursor does not fit this list; give the \"next\" of the previous page and the same filters");
      return null;
    }
    return position;
  }

  /** Whether a position is a name, for lists ordered by name. */
  static boolean isName(String position) {
    return position.matches(TextForm.NAME_PATTERN);
  }

  private static @Nullable String opened(String given, String list) {
    try {
      byte[] sealed = Base64.getUrlDecoder().decode(given);
      if (sealed.length < SEAL_BYTES) {
        return null;
      }
      String position =
          new String(sealed, SEAL_BYTES, sealed.length - SEAL_BYTES, StandardCharsets.UTF_8);
      return given.equals(seal(list, position)) ? position : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  private static byte[] sealOf(String list, String position) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((list + "\n" + position).getBytes(StandardCharsets.UTF_8));
      return Arrays.copyOf(digest.digest(), SEAL_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
