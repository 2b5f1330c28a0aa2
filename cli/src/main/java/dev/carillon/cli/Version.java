package dev.carillon.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar. */
final class Version implements IVersionProvider {

  Version() {}

  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"carillon " + Objects.requireNonNullElse(version, "of a build directory")};
  }
}
