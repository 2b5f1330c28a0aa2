package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The records of one stub function. */
final class StubRecords {

  private static final long PATIENCE_NANOS = 40_000_000_000L;
  private static final long PAUSE_MILLIS = 10;

  private final Path directory;
  private final Set<String> seen = new HashSet<>();

  StubRecords(Path records, String name) {
    this.directory = records.resolve(name);
  }

  /** The next invocation's event. */
  <T> T next(Class<T> type) throws IOException, InterruptedException {
    return LambdaEventSerializers.serializerFor(type, type.getClassLoader()).fromJson(next());
  }

  /** The next record. */
  String next() throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < end) {
      for (Path file : notes().values()) {
        if (seen.add(file.getFileName().toString())) {
          return Files.readString(file);
        }
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    throw new AssertionError("nothing more is written in " + directory);
  }

  private Map<String, Path> notes() throws IOException {
    Map<String, Path> notes = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      files
          .filter(file -> file.getFileName().toString().matches("\\d+"))
          .forEach(file -> notes.put(file.getFileName().toString(), file));
    }
    return notes;
  }

  Map<Object, Object> environment() throws IOException {
    Properties found = new Properties();
    found.load(new StringReader(Files.readString(directory.resolve("environment"))));
    return found;
  }

  boolean closed() {
    return Files.exists(directory.resolve("closed"));
  }
}
