package dev.carillon.campaign.engine;

import dev.carillon.campaign.engine.Queue.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An SQS queue with the poller that Lambda runs for a function. The poller invokes the function
 * with full batches, and with a bounded number of invocations at a time. It injects no faults. A
 * message whose invocation failed or was killed is received again after {@link Queue#VISIBILITY}.
 *
 * @param <M> the type of a message body
 */
public final class EventSource<M> implements Inbox<M> {

  /** Lambda begins with this many invocations at a time, and adds as many each second. */
  private static final int SCALING = 5;

  private static final long SECOND = 1_000;
  private static final long LONGEST_POLL = 20;

  private final Settings settings;
  private final Simulator simulator;
  private final SeededRandom random;
  private final Function<M, String> group;
  private final BiConsumer<List<Message<M>>, Consumer<@Nullable Set<String>>> handler;
  private final Map<Long, Message<M>> messages = new LinkedHashMap<>();
  private final Map<String, Integer> running = new HashMap<>();
  private final List<M> deadLetters = new ArrayList<>();
  private int invocations;
  private long busySince;
  private long lastId;

  /**
   * How a function is invoked, as in the template.
   *
   * @param window the milliseconds for which messages are gathered into a batch
   * @param concurrency the most invocations at a time
   * @param mostReceives how often a message is received at most; after that it becomes a dead
   *     letter
   */
  public record Settings(
      String name, int batchSize, long window, int concurrency, int mostReceives) {}

  /**
   * @param group the group of a message: SQS prefers groups with few messages in flight
   * @param handler starts an invocation with a batch, its first argument. When the invocation ends,
   *     it passes the ids of the failed messages to the second argument; null if it failed as a
   *     whole
   */
  public EventSource(
      Settings settings,
      Simulator simulator,
      SeededRandom random,
      Function<M, String> group,
      BiConsumer<List<Message<M>>, Consumer<@Nullable Set<String>>> handler) {
    this.settings = settings;
    this.simulator = simulator;
    this.random = random;
    this.group = group;
    this.handler = handler;
  }

  @Override
  public String accept(M body, long delay) {
    String id = settings.name() + "-" + ++lastId;
    put(new Message<>(lastId, id, body, simulator.now() + delay, 0));
    return id;
  }

  /** The messages that were received too often. */
  public List<M> deadLetters() {
    return deadLetters;
  }

  private void put(Message<M> message) {
    messages.put(message.copy(), message);
    simulator.at(message.visibleAt() + random.between(0, LONGEST_POLL), this::poll);
  }

  private void poll() {
    long now = simulator.now();
    List<Message<M>> visible = visible(now);
    while (!visible.isEmpty() && !isGathering(visible, now)) {
      if (invocations >= mostInvocations(now)) {
        simulator.at(now + SECOND, this::poll);
        return;
      }
      begin(visible.subList(0, Math.min(settings.batchSize(), visible.size())), now);
      visible = visible(now);
    }
  }

  private long mostInvocations(long now) {
    long busy = invocations == 0 ? 0 : now - busySince;
    return Math.min(settings.concurrency(), SCALING + SCALING * busy / SECOND);
  }

  /**
   * The messages that can be received. They are ordered by how many messages of their group come
   * before them.
   */
  private List<Message<M>> visible(long now) {
    Map<String, Integer> before = new HashMap<>(running);
    Map<Integer, List<Message<M>>> byRank = new TreeMap<>();
    for (Message<M> message : messages.values()) {
      if (message.visibleAt() <= now) {
        int rank = before.merge(group.apply(message.body()), 1, Integer::sum);
        byRank.computeIfAbsent(rank, any -> new ArrayList<>()).add(message);
      }
    }
    return byRank.values().stream().flatMap(List::stream).toList();
  }

  private boolean isGathering(List<Message<M>> visible, long now) {
    long oldest = visible.stream().mapToLong(Message::visibleAt).min().orElse(now);
    boolean isGathering = visible.size() < settings.batchSize() && now < oldest + settings.window();
    if (isGathering) {
      simulator.at(oldest + settings.window(), this::poll);
    }
    return isGathering;
  }

  private void begin(List<Message<M>> received, long now) {
    List<Message<M>> batch = new ArrayList<>();
    for (Message<M> message : received) {
      int receives = message.receives() + 1;
      if (receives > settings.mostReceives()) {
        messages.remove(message.copy());
        deadLetters.add(message.body());
      } else {
        batch.add(
            new Message<>(
                message.copy(), message.id(), message.body(), now + Queue.VISIBILITY, receives));
      }
    }
    if (batch.isEmpty()) {
      return;
    }
    batch.forEach(this::put);
    batch.forEach(message -> running.merge(group.apply(message.body()), 1, Integer::sum));
    busySince = invocations == 0 ? now : busySince;
    invocations++;
    handler.accept(batch, failed -> end(batch, failed));
  }

  private void end(List<Message<M>> batch, @Nullable Set<String> failed) {
    invocations--;
    for (Message<M> message : batch) {
      running.merge(group.apply(message.body()), -1, Integer::sum);
      if (failed != null && !failed.contains(message.id())) {
        messages.remove(message.copy());
      }
    }
    poll();
  }
}
