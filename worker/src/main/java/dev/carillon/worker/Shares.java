package dev.carillon.worker;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How the sources of a worker share its threads. A source that uses none always finds one, so long
 * jobs of one source never stop another. Of the rest, the source that uses the fewest comes first.
 *
 * <p>Only one thread may use it at a time.
 */
final class Shares {

  private final int threads;
  private final Map<Source, Integer> used = new HashMap<>();
  private final Set<Source> wanting = new HashSet<>();

  /**
   * @param threads at least one for each source
   */
  Shares(int threads, Collection<Source> sources) {
    this.threads = threads;
    sources.forEach(source -> used.put(source, 0));
  }

  /** Whether a source has work for one more thread. */
  void want(Source source, boolean isWanting) {
    if (isWanting) {
      wanting.add(source);
    } else {
      wanting.remove(source);
    }
  }

  /** How many threads a source can use beside those that it does. */
  int free(Source source) {
    long kept = used.keySet().stream().filter(it -> !it.equals(source) && used(it) == 0).count();
    return Math.max(0, threads - used.values().stream().mapToInt(it -> it).sum() - (int) kept);
  }

  /** Whether it is this source's turn to use one more. */
  boolean isNext(Source source) {
    return free(source) > 0 && wanting.stream().noneMatch(other -> used(other) < used(source));
  }

  void use(Source source) {
    used.merge(source, 1, Integer::sum);
  }

  void release(Source source, int count) {
    used.merge(source, -count, Integer::sum);
  }

  private int used(Source source) {
    return used.getOrDefault(source, 0);
  }
}
