package dev.carillon.cli;

import dev.carillon.cli.session.World;

/** The process. */
public final class Main {

  private Main() {}

  /** Does nothing, but load this class. */
  static void load() {}

  public static void main(String[] arguments) {
    // From Java 22 on, the usual console also exists without a terminal.
    System.setProperty("jdk.console", "java.base");
    System.exit(CommandLines.execute(World.ofProcess(), arguments));
  }
}
