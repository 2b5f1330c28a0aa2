package dev.carillon.memory;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.OverdueCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The check queue and the overdue queue in memory. They behave like SQS: a received message stays
 * invisible for {@link #VISIBILITY}, and is delivered again unless it is deleted. The overdue queue
 * delivers in order, without the fairness of SQS.
 */
public final class MemoryCheckQueue implements CheckQueue {

  public static final Duration VISIBILITY = Duration.ofSeconds(60);

  private final NavigableMap<Long, Stored> due = new TreeMap<>();
  private final NavigableMap<Long, Stored> overdue = new TreeMap<>();
  private long lastId;

  private record Stored(Check check, Instant visibleAt, int receiveCount) {}

  /**
   * A received message.
   *
   * @param receiveCount how often it was received, including this time
   */
  public record Message(long id, Check check, int receiveCount) {}

  @Override
  public synchronized void send(List<Check> checks, Instant now) {
    OverdueCheck.Routes routes = OverdueCheck.route(checks, now);
    for (Check check : routes.due()) {
      long seconds = Duration.between(now, check.due()).toSeconds();
      long delay = Math.max(0, Math.min(LONGEST_DELAY_SECONDS, seconds));
      due.put(++lastId, new Stored(check, now.plusSeconds(delay), 0));
    }
    for (OverdueCheck sent : routes.overdue()) {
      overdue.put(++lastId, new Stored(sent.check(), now, 0));
    }
  }

  /** How many messages were ever sent. */
  public synchronized long sent() {
    return lastId;
  }

  /**
   * Receives up to {@code max} visible messages of the check queue, those visible longest first.
   */
  public synchronized List<Message> receive(Instant now, int max) {
    return receive(due, now, max);
  }

  /**
   * Receives up to {@code max} visible messages of the overdue queue, those visible longest first.
   */
  public synchronized List<Message> receiveOverdue(Instant now, int max) {
    return receive(overdue, now, max);
  }

  private static List<Message> receive(NavigableMap<Long, Stored> queue, Instant now, int max) {
    List<Message> received =
        queue.entrySet().stream()
            .filter(entry -> !entry.getValue().visibleAt().isAfter(now))
            .sorted(Comparator.comparing(entry -> entry.getValue().visibleAt()))
            .limit(max)
            .map(entry -> received(entry.getKey(), entry.getValue()))
            .toList();
    Instant again = now.plus(VISIBILITY);
    for (Message message : received) {
      queue.put(message.id(), new Stored(message.check(), again, message.receiveCount()));
    }
    return received;
  }

  private static Message received(long id, Stored stored) {
    return new Message(id, stored.check(), stored.receiveCount() + 1);
  }

  /** Acknowledges a message, unless it is deleted already. */
  public synchronized void delete(Message message) {
    due.remove(message.id());
    overdue.remove(message.id());
  }

  /** When the next message of either queue becomes visible; empty if no queue has a message. */
  public synchronized Optional<Instant> nextVisible() {
    return stored().stream().map(Stored::visibleAt).min(Instant::compareTo);
  }

  /**
   * The checks of all messages, visible or not: first those of the check queue, then those of the
   * overdue queue.
   */
  public synchronized List<Check> all() {
    return stored().stream().map(Stored::check).toList();
  }

  private Collection<Stored> stored() {
    List<Stored> all = new ArrayList<>(due.values());
    all.addAll(overdue.values());
    return all;
  }
}
