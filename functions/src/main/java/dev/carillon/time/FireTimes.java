package dev.carillon.time;

import java.time.Instant;
import java.util.Optional;

/** When one time leaf fires. Fires are strictly increasing instants in whole milliseconds. */
public interface FireTimes {

  /** The first fire strictly after {@code instant}; empty if there is none. */
  Optional<Fire> next(Instant instant);

  /** The last fire strictly before {@code instant}; empty if there is none. */
  Optional<Fire> previous(Instant instant);

  /** A description like "At 03:00". */
  String describe();
}
