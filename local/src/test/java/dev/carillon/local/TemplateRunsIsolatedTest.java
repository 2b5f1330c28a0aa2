package dev.carillon.local;

/** The handlers in processes of their own, from the artifact that goes to AWS. */
class TemplateRunsIsolatedTest extends TemplateContract {

  @Override
  LocalEngine engine() {
    return LocalEngine.start(options(true));
  }
}
