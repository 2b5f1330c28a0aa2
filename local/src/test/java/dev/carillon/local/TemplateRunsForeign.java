package dev.carillon.local;

import dev.carillon.contract.ForeignServer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The handlers in this JVM, on tables and queues of a foreign server. */
@EnabledIfSystemProperty(named = "carillon.foreign", matches = ".+")
class TemplateRunsForeign extends TemplateContract {

  @Override
  LocalEngine engine() {
    return LocalEngine.on(ForeignServer.endpoint().orElseThrow(), options(false));
  }
}
