package dev.carillon.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.time.Fire;
import dev.carillon.timer.Timer;
import dev.carillon.trigger.TimeLeaves;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.At;
import dev.carillon.trigger.Trigger.Elapsed;
import dev.carillon.trigger.Trigger.TimeLeaf;
import dev.carillon.trigger.TriggerWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes the timers with which an activation begins. */
public final class Activation {

  private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59Z");

  private Activation() {}

  /** Makes a timer for each time leaf, at its first fire after the schedule began to make jobs. */
  public static List<Timer> timers(Head head, Schedule schedule, Instant generationSince) {
    return timersAfter(head.opensSince(), head, schedule, generationSince);
  }

  /**
   * Makes a timer for each time leaf, at its first fire after {@code instant}. An elapsed leaf gets
   * a timer as well, because no collecting job exists until the first event arrives.
   */
  public static List<Timer> timersAfter(
      Instant instant, Head head, Schedule schedule, Instant generationSince) {
    List<Timer> timers = new ArrayList<>();
    List<Trigger.Leaf> leaves = schedule.trigger().leaves();
    for (int number = 0; number < leaves.size(); number++) {
      if (leaves.get(number) instanceof Elapsed elapsed) {
        Instant elapses = head.opensSince().plus(elapsed.duration());
        if (elapses.isAfter(instant)) {
          ObjectNode once = TriggerWriter.write(new At(elapses));
          timers.add(
              new Timer(head.id(), elapses, head.activation(), number, head.generation(), once));
        }
      }
      if (leaves.get(number) instanceof TimeLeaf leaf) {
        int place = number;
        schedule
            .fireTimes(leaf, generationSince)
            .next(instant)
            .map(Fire::at)
            .map(
                dueAt ->
                    new Timer(
                        head.id(),
                        dueAt,
                        head.activation(),
                        place,
                        head.generation(),
                        TimeLeaves.timerDocument(leaf, schedule.zone(), generationSince),
                        schedule.catchUp(),
                        null))
            .ifPresent(timers::add);
      }
    }
    return timers;
  }

  /**
   * Makes the timers of a backlog that processes each fire when it is due: one for each time leaf,
   * at its first fire after {@code instant}. Catch-up policies do not apply: every fire counts,
   * however late it is.
   */
  static List<Timer> timersInBacklog(
      Instant instant, Head head, Schedule schedule, Instant generationSince) {
    return timersAfter(instant, head, schedule, generationSince).stream()
        .map(timer -> timer.decidedTo(END_OF_TIME))
        .toList();
  }

  /**
   * Makes a timer for each time leaf, at its first fire after the start of a backlog that ends at
   * {@code end}. Fires up to {@code end} are handed over, however late they are. A collecting
   * schedule needs timers only after {@code end}, because its collecting job counted events and
   * fires during the backlog.
   */
  static List<Timer> timersOfBacklog(
      Instant began, Instant end, Head head, Schedule schedule, Instant generationSince) {
    if (!schedule.trigger().isPlainTime()) {
      return timersAfter(end, head, schedule, generationSince);
    }
    return timersAfter(began, head, schedule, generationSince).stream()
        .map(timer -> timer.decidedTo(end))
        .toList();
  }
}
