package dev.carillon.campaign.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What happened, a line for each step; the lines are kept only when a failure is told. */
public final class Trace {

  private final boolean on;
  private final List<String> lines = new ArrayList<>();
  private long fingerprint;

  public Trace(boolean on) {
    this.on = on;
  }

  public void add(long at, Supplier<String> what) {
    fingerprint = fingerprint * 31 + at;
    if (on) {
      lines.add(Instant.ofEpochMilli(at).toString().substring(11) + " " + what.get());
    }
  }

  /** Of when what happened: another one if the episode took another course. */
  public long fingerprint() {
    return fingerprint;
  }

  public List<String> lines() {
    return lines;
  }
}
