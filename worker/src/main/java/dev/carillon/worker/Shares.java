package dev.carillon.worker;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Divides the threads of a worker among its sources. A source without a thread can always use one,
 * so the long jobs of one source never block another source. Among the other sources, the source
 * with the fewest threads comes first.
 *
 * <p>It is not thread-safe.
 */
final class Shares {

  private final int threads;
  private final Map<Source, Integer> used = new HashMap<>();
  private final Set<Source> wanting = new HashSet<>();

  /**
   * @param threads the number of threads; at least one for each source
   */
  Shares(int threads, Collection<Source> sources) {
    this.threads = threads;
    sources.forEach(source -> used.put(source, 0));
  }

  /** Records whether a source has work for one more thread. */
  void want(Source source, boolean isWanting) {
    if (isWanting) {
      wanting.add(source);
    } else {
      wanting.remove(source);
    }
  }

  /** How many more threads a source can use. */
  int free(Source source) {
    long kept = used.keySet().stream().filter(it -> !it.equals(source) && used(it) == 0).count();
    return Math.max(0, threads - used.values().stream().mapToInt(it -> it).sum() - (int) kept);
  }

  /** Whether it is this source's turn to use one more thread. */
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
