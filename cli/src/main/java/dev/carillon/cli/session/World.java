package dev.carillon.cli.session;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.Supplier;

/**
 * The process around a command.
 *
 * @param environment the environment variables
 * @param home the user's directory
 * @param clock the clock of this machine
 * @param zone gives the user's zone
 */
public record World(
    PrintWriter out,
    PrintWriter err,
    Map<String, String> environment,
    Path home,
    Clock clock,
    Supplier<TimeZone> zone,
    Terminal terminal) {

  /** This process. */
  public static World ofProcess() {
    return new World(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        System.getenv(),
        Path.of(System.getProperty("user.home", ".")),
        Clock.systemUTC(),
        new DefaultZone(),
        new ProcessTerminal(System.getenv()));
  }

  /** This is no lambda, because the JVM takes milliseconds for the first one. */
  private record DefaultZone() implements Supplier<TimeZone> {
    @Override
    public TimeZone get() {
      return TimeZone.getDefault();
    }
  }
}
