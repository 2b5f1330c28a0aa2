package dev.carillon.memory;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A check queue in memory that behaves as SQS does: a message that was received stays invisible for
 * {@link #VISIBILITY}, and comes again unless it is deleted.
 */
public final class MemoryCheckQueue implements CheckQueue {

  public static final Duration VISIBILITY = Duration.ofSeconds(60);

  private final NavigableMap<Long, Stored> messages = new TreeMap<>();
  private long lastId;

  private record Stored(Check check, Instant visibleAt, int receiveCount) {}

  /**
   * A message as it was received.
   *
   * @param receiveCount how often it was received, this time included
   */
  public record Message(long id, Check check, int receiveCount) {}

  @Override
  public synchronized void send(List<Check> checks, Instant now) {
    for (Check check : checks) {
      long seconds = Duration.between(now, check.due()).toSeconds();
      long delay = Math.max(0, Math.min(LONGEST_DELAY_SECONDS, seconds));
      messages.put(++lastId, new Stored(check, now.plusSeconds(delay), 0));
    }
  }

  /** How many messages were ever sent. */
  public synchronized long sent() {
    return lastId;
  }

  /** Up to {@code max} messages that are visible now, in the order of their sending. */
  public synchronized List<Message> receive(Instant now, int max) {
    List<Message> received = new ArrayList<>();
    visible(now)
        .limit(max)
        .forEach(
            m ->
                received.add(
                    new Message(
                        m.getKey(), m.getValue().check(), m.getValue().receiveCount() + 1)));
    for (Message message : received) {
      Instant again = now.plus(VISIBILITY);
      messages.put(message.id(), new Stored(message.check(), again, message.receiveCount()));
    }
    return received;
  }

  /** Acknowledges a message; one that is gone already is no fault. */
  public synchronized void delete(Message message) {
    messages.remove(message.id());
  }

  /** When the next message becomes visible; empty if there is none. */
  public synchronized Optional<Instant> nextVisible() {
    return messages.values().stream().map(Stored::visibleAt).min(Instant::compareTo);
  }

  /** The checks of all messages, visible or not, in the order of their sending. */
  public synchronized List<Check> all() {
    return messages.values().stream().map(Stored::check).toList();
  }

  private Stream<Map.Entry<Long, Stored>> visible(Instant now) {
    return messages.entrySet().stream()
        .filter(message -> !message.getValue().visibleAt().isAfter(now));
  }
}
