package dev.carillon.campaign.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated index, or eventually consistent reads of a table. It has two copies, and now and then
 * the second is behind the first. Each read comes from one of the copies, so it can show an older
 * state than an earlier read did.
 */
public final class ReplicatedIndex<K, V> {

  private final Simulator simulator;
  private final FaultPlan faults;
  private final FaultKind stepBack;
  private final @Nullable SeededRandom random;
  private final long longest;
  private final LaggingIndex<K, V> first;
  private final LaggingIndex<K, V> second;
  private final List<Behind> changes = new ArrayList<>();

  /** The time in which only the first copy shows a change. */
  private record Behind(long from, long to) {}

  /**
   * @param lag the fault that delays a change
   * @param stepBack the fault of a read that shows an older state
   * @param random draws the copies; null for an index without a second copy
   * @param longest the longest delay of a change in the first copy, and the longest time by which
   *     the second copy is behind it, in milliseconds
   */
  public ReplicatedIndex(
      Simulator simulator,
      FaultPlan faults,
      FaultKind lag,
      FaultKind stepBack,
      @Nullable SeededRandom random,
      long longest) {
    this.simulator = simulator;
    this.faults = faults;
    this.stepBack = stepBack;
    this.random = random;
    this.longest = longest;
    this.first = new LaggingIndex<>(simulator, faults, lag, longest);
    this.second = new LaggingIndex<>(simulator, faults, lag, longest);
  }

  /**
   * @param value null to remove the key from the index
   */
  public void change(K key, @Nullable V value) {
    long shownFrom = first.change(key, value);
    if (random == null) {
      return;
    }
    boolean isBehind = !faults.hasEnded() && random.oneIn(2);
    long from = second.change(key, value, shownFrom + (isBehind ? random.between(1, longest) : 0));
    if (from > shownFrom) {
      changes.add(new Behind(shownFrom, from));
    }
  }

  /** Reads one of the copies. */
  public void forEachShown(BiConsumer<K, V> reader) {
    copy().forEachShown(reader);
  }

  /** Reads one key from one of the copies. */
  public @Nullable V shown(K key) {
    return copy().shown(key);
  }

  private LaggingIndex<K, V> copy() {
    boolean isOfSecond = random != null && random.oneIn(3);
    if (isOfSecond && isSecondBehind()) {
      faults.count(stepBack);
    }
    return isOfSecond ? second : first;
  }

  private boolean isSecondBehind() {
    long now = simulator.now();
    changes.removeIf(change -> change.to() <= now);
    return changes.stream().anyMatch(change -> change.from() <= now);
  }
}
