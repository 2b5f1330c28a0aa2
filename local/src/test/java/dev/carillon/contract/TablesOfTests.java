package dev.carillon.contract;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Deletes the tables of each test at its end. DynamoDB Local reads the descriptions of all tables
 * twice a second and answers nothing meanwhile, so a thousand forgotten tables stop all other
 * tests.
 */
public final class TablesOfTests implements AfterEachCallback {

  @Override
  public void afterEach(ExtensionContext test) {
    Servers.deleteTables();
  }
}
