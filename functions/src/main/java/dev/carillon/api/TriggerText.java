package dev.carillon.api;

import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.trigger.Trigger;
import java.util.List;
import java.util.stream.Collectors;

/** Describes triggers in English. */
final class TriggerText {

  private TriggerText() {}

  static String of(Compiled compiled) {
    return of(compiled.schedule().trigger(), compiled);
  }

  private static String of(Trigger trigger, Compiled compiled) {
    if (trigger instanceof Trigger.And and) {
      return joined("All of", and.triggers(), compiled);
    }
    if (trigger instanceof Trigger.Or or) {
      return joined("Any of", or.triggers(), compiled);
    }
    if (trigger instanceof Trigger.TimeLeaf leaf) {
      return compiled.fireTimes(leaf).describe();
    }
    if (trigger instanceof Trigger.ClockLeaf clock) {
      return clock(clock);
    }
    return trigger instanceof Trigger.EventLeaf leaf ? event(leaf) : "Only when launched manually";
  }

  private static String joined(String how, List<Trigger> triggers, Compiled compiled) {
    return triggers.size() == 1
        ? of(triggers.get(0), compiled)
        : triggers.stream()
            .map(trigger -> of(trigger, compiled))
            .collect(Collectors.joining("; ", how + " (", ")"));
  }

  private static String clock(Trigger.ClockLeaf leaf) {
    Trigger.EventLeaf starting = leaf.startingEvents();
    String what = starting == null ? "the last launch" : event(starting);
    if (leaf instanceof Trigger.Elapsed elapsed) {
      return "%s after %s".formatted(elapsed.duration(), what);
    }
    Trigger.Quiet quiet = (Trigger.Quiet) leaf;
    String atMost =
        quiet.atMost() == null ? "" : ", at most " + quiet.atMost() + " after the first";
    return "%s after the last of %s%s".formatted(quiet.period(), what, atMost);
  }

  private static String event(Trigger.EventLeaf leaf) {
    if (leaf instanceof Trigger.Partition partition) {
      return "%s of %s".formatted(counted(partition.count(), "new partition"), partition.dataset());
    }
    if (leaf instanceof Trigger.Size size) {
      return "%s of %s".formatted(counted(size.bytes(), "new byte"), size.stream());
    }
    if (leaf instanceof Trigger.ProgramStatus status) {
      String statuses = status.statuses().stream().sorted().collect(Collectors.joining(" or "));
      return "%s %s, %s".formatted(status.program(), statuses, counted(status.count(), "time"));
    }
    Trigger.AnyEvent event = (Trigger.AnyEvent) leaf;
    String filtered = event.filter() == null ? "" : " that match a filter";
    return "%s %s%s".formatted(counted(event.count(), "event"), event.key(), filtered);
  }

  private static String counted(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** The type of a leaf as documents write it. */
  static String type(Trigger.Leaf leaf) {
    if (leaf instanceof Trigger.TimeLeaf time) {
      return time instanceof Trigger.Cron ? "cron" : time instanceof Trigger.Rate ? "rate" : "at";
    }
    if (leaf instanceof Trigger.ClockLeaf) {
      return leaf instanceof Trigger.Elapsed ? "elapsed" : "quiet";
    }
    if (leaf instanceof Trigger.Partition) {
      return "partition";
    }
    if (leaf instanceof Trigger.Size) {
      return "size";
    }
    if (leaf instanceof Trigger.ProgramStatus) {
      return "programStatus";
    }
    return leaf instanceof Trigger.AnyEvent ? "event" : "manual";
  }
}
