package dev.carillon.local;

/** The handlers in this JVM. */
class TemplateRunsTest extends TemplateContract {

  @Override
  LocalEngine engine() {
    return LocalEngine.start(options(false));
  }
}
