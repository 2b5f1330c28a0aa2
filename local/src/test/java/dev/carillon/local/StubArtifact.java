package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.crac.Core;
import org.joda.time.DateTime;

/** The stub functions as an unpacked artifact, with a template that names them. */
final class StubArtifact {

  private static final Path TEMPLATE = Path.of("src/test/resources/stub-template.yaml");
  private static final String PACKAGE = "dev/carillon/local";

  private StubArtifact() {}

  /**
   * Writes the template; the functions write to its directory {@code records}.
   *
   * @return the template's file
   */
  static Path template(Path directory) throws IOException {
    unpack(directory.resolve("artifact"));
    return Files.writeString(
        directory.resolve("stub-template.yaml"),
        Files.readString(TEMPLATE)
            .replace("CodeUri: artifact", "CodeUri: " + directory.resolve("artifact"))
            .replace("RECORDS: records", "RECORDS: " + directory.resolve("records")));
  }

  static void unpack(Path artifact) throws IOException {
    Path classes = Files.createDirectories(artifact.resolve(PACKAGE));
    try (Stream<Path> files = Files.list(place(StubArtifact.class).resolve(PACKAGE))) {
      for (Path file : files.filter(StubArtifact::isStub).toList()) {
        Files.copy(file, classes.resolve(file.getFileName()));
      }
    }
    Path libraries = Files.createDirectories(artifact.resolve("lib"));
    for (Class<?> type : List.of(SQSEvent.class, DateTime.class, Core.class)) {
      Path library = place(type);
      Files.copy(library, libraries.resolve(library.getFileName()));
    }
  }

  private static boolean isStub(Path file) {
    return file.getFileName().toString().startsWith("Stub");
  }

  private static Path place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException fault) {
      throw new IllegalStateException(fault);
    }
  }
}
