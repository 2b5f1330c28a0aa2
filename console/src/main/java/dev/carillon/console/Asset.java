package dev.carillon.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A file of the page. */
@SuppressWarnings("ArrayRecordComponent") // fine, because assets are never compared
record Asset(String type, byte[] content, String etag) {

  /**
   * The number of characters of the hash, which is enough to distinguish two versions of a file.
   */
  private static final int ETAG_LENGTH = 32;

  /**
   * Reads a file.
   *
   * @param name its name on the server, whose ending determines its type
   * @param resource its name on the class path, relative to this package unless it begins with /
   */
  static Asset of(String name, String resource) {
    byte[] content = read(resource);
    return new Asset(type(name), content, "\"" + hash(content).substring(0, ETAG_LENGTH) + "\"");
  }

  private static byte[] read(String resource) {
    try (InputStream in = Asset.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the class path has no file " + resource);
      }
      return in.readAllBytes();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static String hash(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException fault) {
      throw new IllegalStateException("every Java platform has SHA-256", fault);
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException("no type is known for " + name);
    };
  }
}
