package dev.carillon.local;

/** The handlers in separate processes, from the deployed artifact. */
class TemplateRunsIsolatedTest extends TemplateContract {

  @Override
  LocalEngine engine() {
    return LocalEngine.start(options(true));
  }
}
