package dev.carillon.bench.coldstart;

import dev.carillon.bench.CannotRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The bare function as an unpacked artifact: its one class, and those libraries that it uses. */
final class BareArtifact {

  /** What only Carillon's functions use. */
  private static final List<String> NOT_NEEDED =
      List.of("com.cronutils.", "com.fasterxml.", "software.amazon.awssdk.dynamodb-enhanced");

  private BareArtifact() {}

  /**
   * @param code the artifact of Carillon's functions, from which the libraries are taken
   */
  static Path make(Path code, Path directory) {
    try {
      Path bare = directory.resolve(BareHandler.class.getName().replace('.', '/') + ".class");
      Files.createDirectories(Objects.requireNonNull(bare.getParent()));
      try (InputStream type =
          Objects.requireNonNull(BareHandler.class.getResourceAsStream("BareHandler.class"))) {
        Files.copy(type, bare);
      }
      Path libraries = Files.createDirectories(directory.resolve("lib"));
      try (Stream<Path> files = Files.list(code.resolve("lib"))) {
        for (Path file : files.filter(BareArtifact::isNeeded).toList()) {
          Files.createSymbolicLink(libraries.resolve(file.getFileName()), file);
        }
      }
      return directory;
    } catch (IOException fault) {
      throw new CannotRun("the bare function cannot be put together: " + fault, fault);
    }
  }

  private static boolean isNeeded(Path library) {
    String name = library.getFileName().toString();
    return NOT_NEEDED.stream().noneMatch(name::startsWith);
  }
}
