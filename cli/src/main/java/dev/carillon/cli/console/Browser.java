package dev.carillon.cli.console;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The browser of the user. */
public final class Browser {

  private Browser() {}

  /**
   * Opens an address by the command that {@code BROWSER} names or, if it is not set, by the usual
   * command of the system.
   *
   * @throws IOException if there is no such command
   */
  public static void open(URI address, Map<String, String> environment) throws IOException {
    List<String> command = new ArrayList<>(command(environment));
    command.add(address.toString());
    new ProcessBuilder(command)
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }

  private static List<String> command(Map<String, String> environment) {
    String named = environment.getOrDefault("BROWSER", "");
    if (!named.isBlank()) {
      return List.of(named);
    }
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    if (system.startsWith("windows")) {
      return List.of("rundll32", "url.dll,FileProtocolHandler");
    }
    return List.of(system.startsWith("mac") ? "open" : "xdg-open");
  }
}
