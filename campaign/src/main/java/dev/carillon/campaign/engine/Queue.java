package dev.carillon.campaign.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * A simulated SQS queue with the poller that invokes a function with its messages. It delivers each
 * message at least once, in any order, and again {@link #VISIBILITY} milliseconds after a delivery
 * unless the message was deleted.
 *
 * @param <M> the type of a message body
 */
public final class Queue<M> implements Inbox<M> {

  static final long VISIBILITY = 60_000;
  private static final long LONGEST_DELAY = 180_000;

  private final String name;
  private final Link link;
  private final int batchSize;
  private final long longestPoll;
  private final LongSupplier resumes;
  private final BiConsumer<Queue<M>, List<Message<M>>> handler;
  private final Map<Long, Message<M>> messages = new LinkedHashMap<>();
  private long lastId;

  /**
   * @param longestPoll the longest time, in milliseconds, until a visible message is received
   * @param resumes the instant from which messages are delivered: now or, while the function does
   *     not run, the instant at which it runs again
   * @param handler starts an invocation with a batch
   */
  public Queue(
      String name,
      Link link,
      int batchSize,
      long longestPoll,
      LongSupplier resumes,
      BiConsumer<Queue<M>, List<Message<M>>> handler) {
    this.name = name;
    this.link = link;
    this.batchSize = batchSize;
    this.longestPoll = longestPoll;
    this.resumes = resumes;
    this.handler = handler;
  }

  /**
   * A message as it is delivered.
   *
   * @param copy distinguishes the copies when SQS has duplicated a message
   */
  public record Message<M>(long copy, String id, M body, long visibleAt, int receives) {}

  public String name() {
    return name;
  }

  @Override
  public String accept(M body, long delay) {
    FaultPlan faults = link.faults();
    String id = name + "-" + (lastId + 1);
    long visibleAt = link.simulator().now() + delay;
    if (faults.inject(FaultKind.MESSAGE_DELAYED)) {
      visibleAt += late(visibleAt);
    }
    put(id, body, visibleAt);
    if (faults.inject(FaultKind.MESSAGE_DUPLICATED)) {
      put(id, body, visibleAt + late(visibleAt));
    }
    return id;
  }

  /** A random delay; no delay extends beyond the time in which faults take effect. */
  private long late(long visibleAt) {
    long most = Math.min(LONGEST_DELAY, link.faults().end() + LONGEST_DELAY - visibleAt);
    return most <= 0 ? 0 : link.faults().millis(0, most);
  }

  private void put(String id, M body, long visibleAt) {
    Message<M> message = new Message<>(++lastId, id, body, visibleAt, 0);
    messages.put(message.copy(), message);
    pollAt(visibleAt);
  }

  private void pollAt(long visibleAt) {
    link.simulator().at(visibleAt + link.faults().millis(0, longestPoll), this::deliver);
  }

  private void deliver() {
    long now = link.simulator().now();
    if (resumes.getAsLong() > now) {
      pollAt(resumes.getAsLong());
      return;
    }
    List<Message<M>> visible =
        new ArrayList<>(messages.values().stream().filter(m -> m.visibleAt() <= now).toList());
    if (visible.isEmpty()) {
      return;
    }
    if (visible.size() > 1 && link.faults().inject(FaultKind.MESSAGES_REORDERED)) {
      visible = link.random().shuffled(visible);
    }
    int most = link.faults().hasEnded() ? batchSize : 1 + link.random().below(batchSize);
    List<Message<M>> batch = new ArrayList<>();
    for (Message<M> message : visible.subList(0, Math.min(most, visible.size()))) {
      batch.add(received(message, now));
    }
    if (visible.size() > batch.size()) {
      pollAt(now);
    }
    handler.accept(this, batch);
    if (link.faults().inject(FaultKind.BATCH_REPEATED)) {
      link.simulator().at(now + link.faults().millis(0, 2_000), () -> handler.accept(this, batch));
    }
  }

  private Message<M> received(Message<M> message, long now) {
    long again =
        link.faults().inject(FaultKind.VISIBILITY_LOST)
            ? link.faults().millis(100, 9_000)
            : VISIBILITY;
    Message<M> hidden =
        new Message<>(
            message.copy(), message.id(), message.body(), now + again, message.receives() + 1);
    messages.put(hidden.copy(), hidden);
    pollAt(hidden.visibleAt());
    return hidden;
  }

  /** Deletes a handled batch except for its failed messages. */
  public void delete(List<Message<M>> batch, Set<String> failed) {
    for (Message<M> message : batch) {
      if (!failed.contains(message.id()) && !link.faults().inject(FaultKind.DELETE_LOST)) {
        messages.remove(message.copy());
      }
    }
  }

  /** The bodies of all messages that are not deleted. */
  List<M> bodies() {
    return messages.values().stream().map(Message::body).toList();
  }
}
