package dev.carillon.api;

import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.StoredSchedule;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A stored schedule with its parsed document. The document is parsed on first use, and once per
 * request.
 */
final class ParsedSchedule {

  private final StoredSchedule stored;
  private final Function<Definition, Schedule> parser;
  private @Nullable Schedule schedule;

  private ParsedSchedule(
      StoredSchedule stored, Function<Definition, Schedule> parser, @Nullable Schedule schedule) {
    this.stored = stored;
    this.parser = parser;
    this.schedule = schedule;
  }

  static ParsedSchedule of(StoredSchedule stored, Function<Definition, Schedule> parser) {
    return new ParsedSchedule(stored, parser, null);
  }

  /** A schedule whose document was parsed before it was stored. */
  static ParsedSchedule of(StoredSchedule stored, Schedule schedule) {
    return new ParsedSchedule(stored, definition -> schedule, schedule);
  }

  StoredSchedule stored() {
    return stored;
  }

  Head head() {
    return stored.head();
  }

  Definition definition() {
    return stored.definition();
  }

  /**
   * @throws IllegalStateException if the stored document cannot be parsed
   */
  Schedule schedule() {
    Schedule parsed = schedule == null ? parser.apply(stored.definition()) : schedule;
    schedule = parsed;
    return parsed;
  }

  /** The definition without its calendars. */
  Compiled compiled() {
    return new Compiled(stored.definition(), schedule());
  }
}
