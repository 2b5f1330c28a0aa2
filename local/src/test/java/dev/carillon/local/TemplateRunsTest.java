package dev.carillon.local;

/** The handlers in this JVM. */
class TemplateRunsTest extends TemplateContract {

  TemplateRunsTest() {
    super(false);
  }
}
