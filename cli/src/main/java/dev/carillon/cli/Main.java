package dev.carillon.cli;

import dev.carillon.cli.session.World;

/** The entry of the process. */
public final class Main {

  private Main() {}

  /** Does nothing except load this class. */
  static void load() {}

  public static void main(String[] arguments) {
    // From Java 22 on, the usual console exists even if there is no terminal.
    System.setProperty("jdk.console", "java.base");
    // Without this setting, the library would load the classes of java.sql and java.time to prepare
    // for reading such values. Of these types, options have only Duration, which CommandLines
    // reads.
    // The library compiles the pattern often.
    System.setProperty("picocli.converters.excludes", "java.[st].*");
    System.exit(CommandLines.execute(World.ofProcess(), arguments));
  }
}
