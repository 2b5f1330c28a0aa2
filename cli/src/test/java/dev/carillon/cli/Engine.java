package dev.carillon.cli;

import dev.carillon.local.LocalEngine;
import java.nio.file.Path;

/**
 * The local engine for all tests of this JVM. It ends with the JVM; each test has its own
 * namespaces.
 */
final class Engine {

  private static LocalEngine shared;

  private Engine() {}

  static synchronized LocalEngine shared() throws InterruptedException {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  static LocalEngine start() throws InterruptedException {
    LocalEngine engine =
        LocalEngine.start(new LocalEngine.Options(Path.of("../template.yaml"), 0, 0, 0, null));
    engine.awaitReady();
    return engine;
  }
}
