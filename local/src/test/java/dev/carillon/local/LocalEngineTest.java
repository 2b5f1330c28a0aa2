package dev.carillon.local;

/** Functions in this JVM. */
class LocalEngineTest extends EventSourcesContract {

  LocalEngineTest() {
    super(false);
  }
}
