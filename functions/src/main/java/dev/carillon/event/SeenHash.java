package dev.carillon.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The short form of an event's id by which it is recognised when it comes again. */
public final class SeenHash {

  private SeenHash() {}

  /** The first 8 bytes of the id's SHA-256, so it is the same in every process and version. */
  public static long of(String eventId) {
    return ByteBuffer.wrap(sha256(eventId)).getLong();
  }

  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java platform has SHA-256", missing);
    }
  }
}
