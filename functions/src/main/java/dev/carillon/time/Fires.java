package dev.carillon.time;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds fires of several leaves, or of one leaf within a window. */
public final class Fires {

  private static final Comparator<Fire> IN_TIME = Comparator.comparing(Fire::at);

  private Fires() {}

  /** The earliest fire of any leaf strictly after {@code instant}. */
  public static Optional<Fire> next(Collection<? extends FireTimes> all, Instant instant) {
    return all.stream().flatMap(times -> times.next(instant).stream()).min(IN_TIME);
  }

  /** The latest fire of any leaf strictly before {@code instant}. */
  public static Optional<Fire> previous(Collection<? extends FireTimes> all, Instant instant) {
    return all.stream().flatMap(times -> times.previous(instant).stream()).max(IN_TIME);
  }

  /**
   * The first {@code most} fires after {@code start} (exclusive) until {@code end} (inclusive), in
   * order. If the result has {@code most} fires, more fires may follow.
   */
  public static List<Fire> within(FireTimes times, Instant start, Instant end, int most) {
    List<Fire> found = new ArrayList<>();
    Optional<Fire> fire = times.next(start);
    while (found.size() < most && fire.isPresent() && !fire.get().at().isAfter(end)) {
      found.add(fire.get());
      fire = times.next(fire.get().at());
    }
    return found;
  }
}
