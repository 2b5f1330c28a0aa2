package dev.carillon.cli;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/**
 * The usual factory of picocli, from the first use on. That factory searches for the classes of
 * Groovy when it is loaded, for which the JVM opens the jar. The notes of {@link Grammar} need no
 * factory.
 */
final class LateFactory implements IFactory {

  @Override
  public <K> K create(Class<K> type) throws Exception {
    return CommandLine.defaultFactory().create(type);
  }
}
