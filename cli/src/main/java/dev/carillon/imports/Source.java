package dev.carillon.imports;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file to import. */
public record Source(String file, String text) {

  /** The most bytes of one file. */
  public static final int MOST_BYTES = 64 * 1024 * 1024;

  /**
   * Reads a file.
   *
   * @throws UnreadableSource if it cannot be read, is too large or is not a text in UTF-8
   */
  public static Source read(Path file) {
    try (InputStream stream = Files.newInputStream(file)) {
      return read(file.toString(), stream);
    } catch (IOException unreadable) {
      throw new UnreadableSource(
          file + ": it cannot be read; name an existing file that you can read");
    }
  }

  /** Reads a stream under a name that messages use. */
  public static Source read(String name, InputStream stream) throws IOException {
    byte[] bytes = stream.readNBytes(MOST_BYTES + 1);
    if (bytes.length > MOST_BYTES) {
      throw new UnreadableSource(
          name + ": larger than " + MOST_BYTES / (1024 * 1024) + " MiB; split the file");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new Source(name, text.startsWith("\uFEFF") ? text.substring(1) : text);
    } catch (CharacterCodingException other) {
      throw new UnreadableSource(name + ": not a text in UTF-8; convert it first");
    }
  }

  public Place at(int line) {
    return new Place(file, line);
  }
}
