package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;

/**
 * A composition root that writes its environment and events to files, so that a test can read them
 * whatever process the function runs in.
 */
public final class StubRoot implements AutoCloseable {

  private final Path directory;

  private StubRoot(Path directory) {
    this.directory = directory;
  }

  public static StubRoot of(Map<String, String> environment) {
    StubRoot root = new StubRoot(Path.of(environment.get("RECORDS"), environment.get("NAME")));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Properties found = new Properties();
    found.putAll(environment);
    try {
      Files.createDirectories(root.directory);
      found.store(text, null);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    root.write("environment", text.toString(StandardCharsets.UTF_8));
    return root;
  }

  /** Writes an event as JSON. */
  @SuppressWarnings("unchecked")
  void record(Object event) {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    LambdaEventSerializers.serializerFor(
            (Class<Object>) event.getClass(), event.getClass().getClassLoader())
        .toJson(event, json);
    note(json.toString(StandardCharsets.UTF_8));
  }

  void note(String text) {
    write("%020d".formatted(System.nanoTime()), text);
  }

  /** Writes a file atomically, so that a test never reads half of it. */
  private void write(String name, String text) {
    try {
      Path half = Files.writeString(Files.createTempFile(directory, name, ".half"), text);
      Files.move(half, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Override
  public void close() {
    write("closed", "");
  }
}
