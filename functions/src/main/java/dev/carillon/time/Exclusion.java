package dev.carillon.time;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Times without fires. */
public interface Exclusion {

  /**
   * A stretch in which every fire is excluded.
   *
   * @param from inclusive
   * @param to exclusive; another stretch can follow
   */
  record Excluded(Instant from, Instant to) {}

  /** A stretch of excluded time that contains the instant; empty if the instant is not excluded. */
  Optional<Excluded> around(Instant instant);

  /** The union of exclusions. */
  static Exclusion any(Collection<? extends Exclusion> all) {
    List<Exclusion> each = List.copyOf(all);
    return instant ->
        each.stream().flatMap(exclusion -> exclusion.around(instant).stream()).findFirst();
  }
}
