package dev.carillon.bench.harness;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Tells on the error output how far a benchmark is. */
public final class Progress {

  private final PrintWriter out;
  private final long startNanos = System.nanoTime();

  public Progress(PrintWriter out) {
    this.out = out;
  }

  /** Prints a text of several lines as it is. */
  public void tell(String text) {
    out.println(text);
    out.flush();
  }

  public void say(String format, Object... arguments) {
    long seconds = Duration.ofNanos(System.nanoTime() - startNanos).toSeconds();
    out.printf(Locale.ROOT, "%4d s  %s%n", seconds, String.format(Locale.ROOT, format, arguments));
    out.flush();
  }
}
