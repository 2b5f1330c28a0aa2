package dev.carillon.bench.harness;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Reports the progress of a benchmark on the error output. */
public final class Progress {

  private final PrintWriter out;
  private final long startNanos = System.nanoTime();

  public Progress(PrintWriter out) {
    this.out = out;
  }

  /** Prints a text of several lines unchanged. */
  public void print(String text) {
    out.println(text);
    out.flush();
  }

  public void say(String format, Object... arguments) {
    long seconds = Duration.ofNanos(System.nanoTime() - startNanos).toSeconds();
    out.printf(Locale.ROOT, "%4d s  %s%n", seconds, String.format(Locale.ROOT, format, arguments));
    out.flush();
  }
}
