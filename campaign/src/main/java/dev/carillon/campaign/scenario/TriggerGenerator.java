package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.Condition;
import dev.carillon.campaign.judge.Condition.All;
import dev.carillon.campaign.judge.Condition.Announced;
import dev.carillon.campaign.judge.Condition.Any;
import dev.carillon.campaign.judge.Condition.Bytes;
import dev.carillon.campaign.judge.Condition.Counting;
import dev.carillon.campaign.judge.Condition.Elapsed;
import dev.carillon.campaign.judge.Condition.Fires;
import dev.carillon.campaign.judge.Condition.Manual;
import dev.carillon.campaign.judge.Condition.Matching;
import dev.carillon.campaign.judge.Condition.Quiet;
import dev.carillon.campaign.judge.Condition.Reported;
import dev.carillon.campaign.judge.Fact;
import dev.carillon.campaign.judge.Filter;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Generates triggers of every kind, and events that concern them. */
final class TriggerGenerator {

  private static final List<String> COLORS = List.of("red", "rose", "blue");
  private static final List<String> STATUSES =
      List.of("STARTED", "SUCCEEDED", "FAILED", "CANCELLED");

  private static final int SECOND = 1_000;

  private final SeededRandom random;

  TriggerGenerator(SeededRandom random) {
    this.random = random;
  }

  /** A trigger that is nested up to the given depth. */
  Condition trigger(int depth) {
    if (depth == 0 || !random.oneIn(3)) {
      return leaf();
    }
    List<Condition> inner = new ArrayList<>();
    for (int i = random.of(2, 2, 3); i > 0; i--) {
      inner.add(trigger(depth - 1));
    }
    return random.oneIn(2) ? new All(inner) : new Any(inner);
  }

  private Condition leaf() {
    return switch (random.below(12)) {
      case 0, 1 -> {
        long period = random.between(3, 40) * SECOND;
        long atMost = random.oneIn(2) ? 0 : period + random.between(0, 60) * SECOND;
        yield new Quiet(counting(false), period, atMost);
      }
      case 2, 3 ->
          new Elapsed(random.oneIn(2) ? null : counting(false), random.between(20, 100) * SECOND);
      case 4 -> new Fires(new Cron(random.below(60) + " * * * * ?"));
      case 5 -> random.oneIn(2) ? new Manual() : counting(true);
      default -> counting(true);
    };
  }

  /**
   * @param many whether the leaf may need more than one event
   */
  private Counting counting(boolean many) {
    long count = many ? random.of(1, 1, 2, 3) : 1;
    return switch (random.below(7)) {
      case 0, 1 -> new Bytes("clicks", many ? random.between(1, 150) : 1);
      case 2, 3, 4 -> new Matching(random.of("orders", "alarms"), count, filter());
      case 5 -> new Announced("d", count);
      default -> new Reported(random.of("etl", "load"), statuses(), count);
    };
  }

  private List<String> statuses() {
    return random.shuffled(STATUSES).subList(0, random.of(1, 1, 2));
  }

  private @Nullable Filter filter() {
    return random.oneIn(3)
        ? null
        : new Filter(
            random.of(Filter.Rule.values()), random.of("red", "ro", "blue"), random.below(9));
  }

  /** The content of an event for which some trigger may wait. */
  Fact fact() {
    return switch (random.below(7)) {
      case 0, 1 -> new Fact("size:clicks", random.between(1, 90));
      case 2, 3, 4 ->
          new Fact(
              "event:" + random.of("orders", "alarms"),
              1,
              random.oneIn(5) ? null : random.of(COLORS),
              random.oneIn(5) ? null : random.below(10));
      case 5 -> new Fact("size:taps", 50);
      default -> new Fact("program:" + random.of("etl", "load") + ":" + random.of(STATUSES), 1);
    };
  }
}
