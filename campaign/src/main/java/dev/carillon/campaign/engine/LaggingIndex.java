package dev.carillon.campaign.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated index or eventually consistent read. The changes of one key appear in order. Each
 * change appears some time after it was made, so the changes of different keys can appear in any
 * order.
 */
public final class LaggingIndex<K, V> {

  private final Simulator simulator;
  private final FaultPlan faults;
  private final FaultKind kind;
  private final long longest;
  private final Map<K, Deque<Change<V>>> changes = new LinkedHashMap<>();

  private record Change<V>(long shownFrom, @Nullable V value) {}

  /**
   * @param kind the fault that delays a change
   * @param longest the longest delay of a change, in milliseconds
   */
  public LaggingIndex(Simulator simulator, FaultPlan faults, FaultKind kind, long longest) {
    this.simulator = simulator;
    this.faults = faults;
    this.kind = kind;
    this.longest = longest;
  }

  /**
   * @param value null to remove the key from the index
   * @return the instant at which the change is shown
   */
  public long change(K key, @Nullable V value) {
    if (value == null && !changes.containsKey(key)) {
      return simulator.now();
    }
    long lag = faults.inject(kind) ? faults.millis(50, longest) : faults.millis(0, 20);
    return change(key, value, simulator.now() + lag);
  }

  /**
   * Shows a change from {@code earliest} on, or from the instant at which the previous change of
   * the key appears, if that is later.
   */
  long change(K key, @Nullable V value, long earliest) {
    Deque<Change<V>> known = changes.computeIfAbsent(key, any -> new ArrayDeque<>());
    Change<V> last = known.peekLast();
    long from = last == null ? earliest : Math.max(earliest, last.shownFrom());
    known.addLast(new Change<>(from, value));
    return from;
  }

  public @Nullable V shown(K key) {
    Deque<Change<V>> known = changes.get(key);
    return known == null ? null : shown(known);
  }

  public void forEachShown(BiConsumer<K, V> reader) {
    changes.forEach(
        (key, known) -> {
          V value = shown(known);
          if (value != null) {
            reader.accept(key, value);
          }
        });
  }

  private @Nullable V shown(Deque<Change<V>> known) {
    Change<V> shown = null;
    while (!known.isEmpty() && known.getFirst().shownFrom() <= simulator.now()) {
      shown = known.removeFirst();
    }
    if (shown == null) {
      return null;
    }
    known.addFirst(shown);
    return shown.value();
  }
}
