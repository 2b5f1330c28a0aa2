package dev.carillon.local;

/** Functions in processes of their own. */
class IsolatedEngineTest extends EventSourcesContract {

  IsolatedEngineTest() {
    super(true);
  }
}
