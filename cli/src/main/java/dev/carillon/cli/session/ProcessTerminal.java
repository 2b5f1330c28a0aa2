package dev.carillon.cli.session;

import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/** The terminal of this process, if it has one. */
@SuppressWarnings("SystemConsoleNull") // it can be null, because Main sets jdk.console
final class ProcessTerminal implements Terminal {

  /** The variable in which the launcher says whether the error output is a terminal: yes or no. */
  private static final String ERRORS_ARE_SHOWN = "CARILLON_STDERR_IS_TERMINAL";

  private static final int USUAL_WIDTH = 80;

  private final Map<String, String> environment;
  private final @Nullable Console console = System.console();

  ProcessTerminal(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public boolean isInteractive() {
    return console != null;
  }

  @Override
  public boolean hasColours() {
    return console != null && Ansi.AUTO.enabled();
  }

  @Override
  public int width() {
    return console == null ? 0 : columns();
  }

  /**
   * The columns of the error output. Only the launcher knows whether the error output is a
   * terminal; Java does not.
   */
  @Override
  public int widthOfErrors() {
    String shown = environment.getOrDefault(ERRORS_ARE_SHOWN, console == null ? "no" : "yes");
    if (!shown.equals("yes")) {
      return 0;
    }
    int columns = columns();
    return columns == 0 ? USUAL_WIDTH : columns;
  }

  private int columns() {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("[0-9]{1,4}") ? Integer.parseInt(columns) : measured();
  }

  /**
   * The number of columns. If the launcher does not give it, the terminal is asked, which takes
   * longer.
   */
  private static int measured() {
    try (org.jline.terminal.Terminal screen =
        TerminalBuilder.builder().system(true).dumb(true).build()) {
      return screen.getWidth();
    } catch (IOException | IllegalStateException unknown) {
      return 0;
    }
  }

  @Override
  public @Nullable String ask(String question) {
    return console == null ? null : console.readLine("%s", question);
  }

  @Override
  public void pause(Duration length) {
    try {
      Thread.sleep(length.toMillis());
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
    }
  }
}
