package dev.carillon.campaign.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A trace of the episode, one line per step. Lines are kept only for a failure report. */
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

  /** A hash of the instants of all steps; it differs if the episode took another course. */
  public long fingerprint() {
    return fingerprint;
  }

  public List<String> lines() {
    return lines;
  }
}
