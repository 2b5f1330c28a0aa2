package dev.carillon.log;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Captures the standard output while it is open. */
public final class Output implements AutoCloseable {

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  public Output() {
    PrintStream stream = new PrintStream(captured, true, StandardCharsets.UTF_8);
    System.setOut(stream);
    System.setErr(stream);
  }

  public String text() {
    return captured.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
  }
}
