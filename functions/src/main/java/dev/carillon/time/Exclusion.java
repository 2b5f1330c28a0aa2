package dev.carillon.time;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Times at which nothing fires. */
public interface Exclusion {

  /**
   * A stretch in which everything is excluded.
   *
   * @param from inclusive
   * @param to exclusive; after it may lie another one
   */
  record Excluded(Instant from, Instant to) {}

  /** A stretch that contains the instant; empty if the instant is not excluded. */
  Optional<Excluded> around(Instant instant);

  /** What one of them excludes. */
  static Exclusion any(Collection<? extends Exclusion> all) {
    List<Exclusion> each = List.copyOf(all);
    return instant ->
        each.stream().flatMap(exclusion -> exclusion.around(instant).stream()).findFirst();
  }
}
