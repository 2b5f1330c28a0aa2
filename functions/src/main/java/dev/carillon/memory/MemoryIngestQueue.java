package dev.carillon.memory;

import dev.carillon.event.IngestQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An ingest queue in memory. */
public final class MemoryIngestQueue implements IngestQueue {

  private final List<Sent> messages = new ArrayList<>();

  /** A message as it was sent. */
  public record Sent(String body, Duration delay) {}

  @Override
  public synchronized void send(List<String> bodies, Duration delay) {
    bodies.forEach(body -> messages.add(new Sent(body, delay)));
  }

  /** Removes and returns all messages, in order. */
  public synchronized List<Sent> takeSent() {
    List<Sent> taken = List.copyOf(messages);
    messages.clear();
    return taken;
  }

  /** Removes and returns the bodies of all messages, in order. */
  public List<String> take() {
    return takeSent().stream().map(Sent::body).toList();
  }
}
