package dev.carillon.local;

import org.junit.jupiter.api.Tag;

/** The handlers in separate processes, from the deployed artifact. */
@Tag("proof")
class TemplateRunsIsolatedTest extends TemplateContract {

  @Override
  LocalEngine engine() {
    return LocalEngine.start(options(true));
  }
}
