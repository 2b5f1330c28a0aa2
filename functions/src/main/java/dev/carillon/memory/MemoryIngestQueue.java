package dev.carillon.memory;

import dev.carillon.ingest.IngestQueue;
import java.util.ArrayList;
import java.util.List;

/** An ingest queue in memory. */
public final class MemoryIngestQueue implements IngestQueue {

  private final List<String> bodies = new ArrayList<>();

  @Override
  public synchronized void send(List<String> sent) {
    bodies.addAll(sent);
  }

  /** All messages, in order; they are gone then. */
  public synchronized List<String> take() {
    List<String> taken = List.copyOf(bodies);
    bodies.clear();
    return taken;
  }
}
