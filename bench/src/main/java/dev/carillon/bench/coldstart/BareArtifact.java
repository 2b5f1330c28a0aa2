package dev.carillon.bench.coldstart;

import dev.carillon.bench.harness.CannotRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The bare functions as an unpacked artifact: their classes and the libraries that they use. */
final class BareArtifact {

  /** Libraries that only Carillon's functions use. */
  private static final List<String> NOT_NEEDED =
      List.of("com.cronutils.", "com.fasterxml.", "software.amazon.awssdk.dynamodb-enhanced-");

  private static final List<Class<?>> CLASSES =
      List.of(
          BareHandler.class,
          BareHandler.OfQueue.class,
          BareHandler.OfApi.class,
          BareHandler.OfAnything.class,
          TwoRequests.class,
          BareRequests.class,
          BareRequests.Connections.class);

  private BareArtifact() {}

  /**
   * The class name of the bare handler that takes the same kind of event as the given function of
   * Carillon.
   */
  static String handlerFor(String function) {
    return switch (function) {
      case "MasterFunction" -> BareHandler.OfAnything.class.getName();
      case "ApiFunction" -> BareHandler.OfApi.class.getName();
      default -> BareHandler.OfQueue.class.getName();
    };
  }

  /**
   * @param code the artifact of Carillon's functions, from which the libraries are taken
   */
  static Path make(Path code, Path directory) {
    try {
      for (Class<?> type : CLASSES) {
        copy(type, directory.resolve(type.getName().replace('.', '/') + ".class"));
      }
      Path libraries = Files.createDirectories(directory.resolve("lib"));
      try (Stream<Path> files = Files.list(code.resolve("lib"))) {
        for (Path file : files.filter(BareArtifact::isNeeded).toList()) {
          Files.createSymbolicLink(libraries.resolve(file.getFileName()), file);
        }
      }
      return directory;
    } catch (IOException fault) {
      throw new CannotRun("the artifact of the bare function cannot be created: " + fault, fault);
    }
  }

  private static void copy(Class<?> type, Path file) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    String name = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream code = Objects.requireNonNull(type.getResourceAsStream(name))) {
      Files.copy(code, file);
    }
  }

  private static boolean isNeeded(Path library) {
    String name = library.getFileName().toString();
    return NOT_NEEDED.stream().noneMatch(name::startsWith);
  }
}
