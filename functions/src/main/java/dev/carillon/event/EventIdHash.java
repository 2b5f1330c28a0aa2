package dev.carillon.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The short hash of an event's id, by which a redelivered event is recognised. */
public final class EventIdHash {

  private EventIdHash() {}

  /** The first 8 bytes of the id's SHA-256. It is the same in every process and every version. */
  public static long of(String eventId) {
    return ByteBuffer.wrap(sha256(eventId)).getLong();
  }

  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(
          "SHA-256 is not available, which every Java platform must provide", missing);
    }
  }
}
