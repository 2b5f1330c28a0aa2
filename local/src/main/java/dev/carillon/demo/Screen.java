package dev.carillon.demo;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Prints lines of plain text, at most {@link #COLUMNS} wide, from several threads. */
final class Screen {

  static final int COLUMNS = 100;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());
  private static final String LAUNCH = "%-12s  %-9s  %8s  %-19s  %-22s  %s";

  private final PrintWriter out;

  Screen(PrintWriter out) {
    this.out = out;
  }

  synchronized void line(String format, Object... arguments) {
    String text = String.format(Locale.ROOT, format, arguments);
    out.println(text.length() <= COLUMNS ? text : text.substring(0, COLUMNS - 1) + "…");
    out.flush();
  }

  /** Prints a text, wrapped to as many lines as it needs. */
  synchronized void text(String text) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split("\\s+", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > COLUMNS) {
        out.println(line);
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    out.println(line);
    out.flush();
  }

  void launchHeader() {
    line(LAUNCH, "arrived", "schedule", "late", "why", "job", "request");
  }

  /** Prints a launch, with the job id shortened by the prefix that all jobs of a schedule share. */
  void launch(Launch launch) {
    line(
        LAUNCH,
        TIME.format(launch.arrivedAt()),
        launch.schedule(),
        launch.lateMillis() + " ms",
        launch.why(),
        launch.job().sortKey(),
        launch.body().replaceAll("\\s+", " "));
  }

  /** Prints what a worker does. */
  void worked(Instant at, String what) {
    line("%-12s  <-- %-4s  %s", TIME.format(at), "work", what);
  }

  void sent(Instant at, String over, String what) {
    line("%-12s  --> %-4s  %s", TIME.format(at), over, what);
  }
}
