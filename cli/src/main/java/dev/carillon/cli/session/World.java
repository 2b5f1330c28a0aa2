package dev.carillon.cli.session;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * The process around a command.
 *
 * @param environment the environment variables
 * @param home the user's directory
 * @param clock the clock, in the user's zone
 */
public record World(
    PrintWriter out,
    PrintWriter err,
    Map<String, String> environment,
    Path home,
    Clock clock,
    Terminal terminal) {

  /** This process. */
  public static World ofProcess() {
    return new World(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        System.getenv(),
        Path.of(System.getProperty("user.home", ".")),
        new LocalClock(),
        new ProcessTerminal(System.getenv()));
  }
}
