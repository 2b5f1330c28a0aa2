package dev.carillon.local;

/** Functions in separate processes. */
class IsolatedEngineTest extends EventSourcesContract {

  IsolatedEngineTest() {
    super(true);
  }
}
