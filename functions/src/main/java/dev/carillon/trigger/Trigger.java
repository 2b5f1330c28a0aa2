package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.time.Dialect;
import dev.carillon.time.Dst;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The condition that makes a job: a tree whose leaves name instants or events. */
public sealed interface Trigger {

  /** The largest count of partitions or events, in a trigger and in one event. */
  long MOST_COUNT = 1_000_000_000L;

  /** The largest number of bytes, in a trigger and in one event: 1 PB. */
  long MOST_BYTES = 1_000_000_000_000_000L;

  /** A single condition of a trigger. Leaves are numbered in document order, from 0. */
  sealed interface Leaf extends Trigger {}

  /** A leaf that fires at instants. */
  sealed interface TimeLeaf extends Leaf {
    default Adjustment adjustment() {
      return Adjustment.NONE;
    }
  }

  /** A leaf that counts events up to an amount. */
  sealed interface EventLeaf extends Leaf {
    /** The keys of the events that the leaf counts. */
    @Override
    Set<String> eventKeys();

    /** The amount that satisfies the leaf. */
    long expected();

    /** Whether a payload matches, so that an event with one of the keys and this payload counts. */
    default boolean accepts(JsonNode payload) {
      return true;
    }
  }

  /**
   * How the fires that a leaf names are adjusted.
   *
   * @param flexible the period over which the fires of many schedules are spread, each with its own
   *     offset; zero for none
   * @param exclude the calendars at whose times the leaf does not fire
   */
  record Adjustment(Duration flexible, List<String> exclude) {
    public static final Adjustment NONE = new Adjustment(Duration.ZERO, List.of());
  }

  /**
   * @param zone the zone; null for the schedule's zone
   */
  record Cron(
      String expression, Dialect dialect, @Nullable ZoneId zone, Dst dst, Adjustment adjustment)
      implements TimeLeaf {

    public Cron(String expression, Dialect dialect, @Nullable ZoneId zone, Dst dst) {
      this(expression, dialect, zone, dst, Adjustment.NONE);
    }
  }

  /**
   * The leaf fires at anchor + k·every.
   *
   * @param anchor the anchor; null for the beginning of the generation
   */
  record Rate(Duration every, @Nullable Instant anchor, Adjustment adjustment) implements TimeLeaf {

    public Rate(Duration every, @Nullable Instant anchor) {
      this(every, anchor, Adjustment.NONE);
    }
  }

  record At(Instant time) implements TimeLeaf {}

  record Partition(String dataset, long count) implements EventLeaf {
    @Override
    public Set<String> eventKeys() {
      return Set.of("partition:" + dataset);
    }

    @Override
    public long expected() {
      return count;
    }
  }

  record Size(String stream, long bytes) implements EventLeaf {
    @Override
    public Set<String> eventKeys() {
      return Set.of("size:" + stream);
    }

    @Override
    public long expected() {
      return bytes;
    }
  }

  /**
   * The leaf is satisfied by {@code count} events with the key {@code event:<key>}.
   *
   * @param filter the pattern that a payload must match to count; null for any payload
   */
  record AnyEvent(String key, long count, @Nullable EventPattern filter) implements EventLeaf {

    /** The prefix of the event keys of this kind. */
    public static final String PREFIX = "event:";

    @Override
    public Set<String> eventKeys() {
      return Set.of(PREFIX + key);
    }

    @Override
    public boolean accepts(JsonNode payload) {
      return filter == null || filter.matches(payload);
    }

    @Override
    public long expected() {
      return count;
    }
  }

  /**
   * @param program the name of the program without its namespace, which is that of the schedule
   * @param statuses some of STARTED, SUCCEEDED, FAILED, CANCELLED
   */
  record ProgramStatus(String program, Set<String> statuses, long count) implements EventLeaf {

    /** All statuses, in this order. */
    public static final List<String> STATUSES =
        List.of("STARTED", "SUCCEEDED", "FAILED", "CANCELLED");

    @Override
    public Set<String> eventKeys() {
      Set<String> keys = new TreeSet<>();
      statuses.forEach(status -> keys.add("program:" + program + ":" + status));
      return keys;
    }

    @Override
    public long expected() {
      return count;
    }
  }

  /** A leaf that is satisfied when a period has elapsed since an event or launch. */
  sealed interface ClockLeaf extends Leaf {
    /** The events that start the period; null if no event does. */
    @Nullable EventLeaf startingEvents();

    @Override
    default Set<String> eventKeys() {
      EventLeaf starting = startingEvents();
      return starting == null ? Set.of() : starting.eventKeys();
    }
  }

  /**
   * The leaf is satisfied when {@code duration} has passed since the last event of {@code since}.
   * Each event satisfies it once. Before the first event, the duration counts from the activation.
   *
   * @param since the events; null for the launches of the schedule
   */
  record Elapsed(@Nullable EventLeaf since, Duration duration) implements ClockLeaf {
    @Override
    public @Nullable EventLeaf startingEvents() {
      return since;
    }
  }

  /**
   * The leaf is satisfied when at least one event of {@code of} has arrived and then none for
   * {@code period}.
   *
   * @param atMost how long after the first event the leaf is satisfied even if events keep
   *     arriving; null for never
   */
  record Quiet(EventLeaf of, Duration period, @Nullable Duration atMost) implements ClockLeaf {
    @Override
    public EventLeaf startingEvents() {
      return of;
    }
  }

  /** The leaf is never satisfied: only launch-now makes jobs. */
  record Manual() implements Leaf {}

  record And(List<Trigger> triggers) implements Trigger {}

  record Or(List<Trigger> triggers) implements Trigger {}

  /** All leaves in document order; the index of a leaf in this list is its number. */
  default List<Leaf> leaves() {
    return leafStream().toList();
  }

  private Stream<Leaf> leafStream() {
    if (this instanceof And and) {
      return and.triggers().stream().flatMap(Trigger::leafStream);
    }
    if (this instanceof Or or) {
      return or.triggers().stream().flatMap(Trigger::leafStream);
    }
    return Stream.of((Leaf) this);
  }

  /** The keys of all events that concern this trigger. */
  default Set<String> eventKeys() {
    Set<String> keys = new TreeSet<>();
    for (Leaf leaf : leaves()) {
      if (leaf instanceof EventLeaf || leaf instanceof ClockLeaf) {
        keys.addAll(leaf.eventKeys());
      }
    }
    return keys;
  }

  /** The calendars that any leaf excludes. */
  default Set<String> calendars() {
    Set<String> names = new TreeSet<>();
    for (Leaf leaf : leaves()) {
      if (leaf instanceof TimeLeaf time) {
        names.addAll(time.adjustment().exclude());
      }
    }
    return names;
  }

  /** The index keys of the schedule: its event keys, and a key for each calendar. */
  default Set<String> indexKeys() {
    Set<String> keys = eventKeys();
    calendars().forEach(name -> keys.add(calendarKey(name)));
    return keys;
  }

  /** The index key of the schedules that exclude a calendar; no event has such a key. */
  static String calendarKey(String name) {
    return "calendar:" + name;
  }

  /** Whether every fire of every leaf is one job, so that nothing has to be collected. */
  default boolean isPlainTime() {
    if (this instanceof And and) {
      return and.triggers().size() == 1 && and.triggers().get(0).isPlainTime();
    }
    if (this instanceof Or or) {
      return or.triggers().stream().allMatch(Trigger::isPlainTime);
    }
    return this instanceof TimeLeaf;
  }
}
