package dev.carillon.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What happened, a line for each step; the lines are kept only when a failure is told. */
final class Trace {

  private final boolean on;
  private final List<String> lines = new ArrayList<>();
  private long fingerprint;

  Trace(boolean on) {
    this.on = on;
  }

  void add(long at, Supplier<String> what) {
    fingerprint = fingerprint * 31 + at;
    if (on) {
      lines.add(Instant.ofEpochMilli(at).toString().substring(11) + " " + what.get());
    }
  }

  /** Of when what happened: another one if the episode took another course. */
  long fingerprint() {
    return fingerprint;
  }

  List<String> lines() {
    return lines;
  }
}
