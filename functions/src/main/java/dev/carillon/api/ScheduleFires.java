package dev.carillon.api;

import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Schedule;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fires of all time leaves of a schedule. Fires of several leaves at one instant are one fire.
 */
final class ScheduleFires {

  private final List<Leaf> leaves;

  private ScheduleFires(List<Leaf> leaves) {
    this.leaves = leaves;
  }

  private record Leaf(FireTimes times, ZoneId zone) {}

  /**
   * One fire.
   *
   * @param zone the zone of the leaf that fires, or of the first leaf if several fire
   */
  record Moment(Instant at, ZoneId zone, Fire.@Nullable Shift shift) {}

  static ScheduleFires of(Compiled compiled) {
    Schedule schedule = compiled.schedule();
    List<Leaf> leaves = new ArrayList<>();
    for (Trigger.Leaf leaf : schedule.trigger().leaves()) {
      if (leaf instanceof TimeLeaf time) {
        leaves.add(new Leaf(compiled.fireTimes(time), zone(time, schedule.zone())));
      }
    }
    return new ScheduleFires(leaves);
  }

  private static ZoneId zone(TimeLeaf leaf, ZoneId usual) {
    return leaf instanceof Trigger.Cron cron && cron.zone() != null ? cron.zone() : usual;
  }

  boolean isEmpty() {
    return leaves.isEmpty();
  }

  /** The first fire strictly after {@code instant}. */
  Optional<Moment> next(Instant instant) {
    Moment first = null;
    for (Leaf leaf : leaves) {
      Fire fire = leaf.times().next(instant).orElse(null);
      if (fire != null) {
        Moment moment = new Moment(fire.at(), leaf.zone(), fire.shift());
        first = first == null ? moment : earlier(first, moment);
      }
    }
    return Optional.ofNullable(first);
  }

  /** The first {@code most} fires strictly after {@code instant}; fewer after the deadline. */
  List<Moment> next(Instant instant, int most, Deadline deadline) {
    List<Moment> found = new ArrayList<>();
    Optional<Moment> moment = next(instant);
    while (moment.isPresent() && found.size() < most) {
      found.add(moment.get());
      boolean isWanted = found.size() < most && !deadline.hasPassed();
      moment = isWanted ? next(moment.get().at()) : Optional.empty();
    }
    return found;
  }

  /** The last fire strictly before {@code instant}. */
  Optional<Moment> previous(Instant instant) {
    Moment last = null;
    for (Leaf leaf : leaves) {
      Fire fire = leaf.times().previous(instant).orElse(null);
      if (fire != null && (last == null || fire.at().isAfter(last.at()))) {
        last = new Moment(fire.at(), leaf.zone(), fire.shift());
      }
    }
    return Optional.ofNullable(last);
  }

  private static Moment earlier(Moment first, Moment other) {
    if (other.at().isBefore(first.at())) {
      return other;
    }
    boolean isShifted = first.shift() == null && other.at().equals(first.at());
    return isShifted ? new Moment(first.at(), first.zone(), other.shift()) : first;
  }
}
