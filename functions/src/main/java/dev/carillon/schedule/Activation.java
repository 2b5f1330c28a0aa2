package dev.carillon.schedule;

import dev.carillon.master.Timer;
import dev.carillon.time.Fire;
import dev.carillon.trigger.TimeLeaves;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The timers with which an activation begins. */
public final class Activation {

  private Activation() {}

  /** One for each time leaf, at its first fire after the activation. */
  public static List<Timer> timers(Head head, Schedule schedule, Instant generationSince) {
    return timersAfter(head.activeSince(), head, schedule, generationSince);
  }

  /** One for each time leaf, at its first fire after {@code instant}. */
  public static List<Timer> timersAfter(
      Instant instant, Head head, Schedule schedule, Instant generationSince) {
    List<Timer> timers = new ArrayList<>();
    List<Trigger.Leaf> leaves = schedule.trigger().leaves();
    for (int number = 0; number < leaves.size(); number++) {
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
}
