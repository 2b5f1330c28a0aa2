package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Dst;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.ZonedCron;
import dev.carillon.campaign.judge.WaitPolicy.Pending;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Moves some scenarios to the time at which the clocks of a time zone change, with crons in that
 * zone. Half of the changes are gaps, half overlaps.
 */
final class ClockChanges {

  private static final int SECOND = 1_000;
  private static final Instant YEAR = Instant.parse("2026-01-01T00:00:00Z");

  /** Zones whose clocks change by one hour, half an hour or two hours, some of them at midnight. */
  private static final List<String> ZONES =
      List.of(
          "Europe/Berlin",
          "America/New_York",
          "America/St_Johns",
          "America/Santiago",
          "America/Havana",
          "Asia/Beirut",
          "Antarctica/Troll",
          "Australia/Lord_Howe");

  private final SeededRandom random;
  private final Map<Integer, ScheduleSpec> documents = new HashMap<>();
  private final String zone;
  private final ZoneOffsetTransition change;
  private final boolean happens;

  ClockChanges(SeededRandom random) {
    this.random = random;
    this.happens = random.oneIn(4);
    this.zone = random.of(ZONES);
    ZoneOffsetTransition next = after(YEAR);
    this.change = random.oneIn(2) ? next : after(next.getInstant());
  }

  private ZoneOffsetTransition after(Instant instant) {
    return Objects.requireNonNull(ZoneId.of(zone).getRules().nextTransition(instant));
  }

  /** The scenario of a seed, moved to a change of clocks if the seed has one. */
  Scenario moved(Scenario scenario, long seed) {
    if (!happens) {
      return scenario;
    }
    long start = change.getInstant().toEpochMilli() - random.between(10, 200) * SECOND;
    return new ScenarioGenerator(new SeededRandom(seed * 4), start).make();
  }

  /** Moves crons into the zone. */
  Scenario addTo(Scenario scenario) {
    if (!happens || scenario.outage() != null) {
      return scenario;
    }
    List<List<UserAction>> scripts =
        scenario.scripts().stream()
            .map(script -> script.stream().map(it -> zoned(it, scenario)).toList())
            .toList();
    return scenario.with(scripts, scenario.calendar());
  }

  private UserAction zoned(UserAction action, Scenario scenario) {
    // Only schedules whose names begin with s are moved, because the crons of the others were
    // chosen to fire at the same instants.
    return !action.schedule().startsWith("s")
        ? action
        : action.with(
            spec ->
                documents.computeIfAbsent(
                    spec.version(), any -> zoned(spec, action.schedule(), scenario)));
  }

  private ScheduleSpec zoned(ScheduleSpec spec, String schedule, Scenario scenario) {
    if (spec.waits().pending() != Pending.QUEUE) {
      return spec;
    }
    List<Leaf> leaves =
        spec.leaves().stream()
            .map(leaf -> leaf instanceof Cron ? zoned(leaf, schedule, scenario) : leaf)
            .toList();
    return spec.catchingUp(leaves, spec.catchUp());
  }

  private Leaf zoned(Leaf leaf, String schedule, Scenario scenario) {
    if (random.oneIn(4)) {
      return leaf;
    }
    Dst dst =
        new Dst(random.of("", "", "shift", "skip"), random.of("", "", "first", "second", "both"));
    long flexible = random.oneIn(3) ? random.between(10, 90) * SECOND : 0;
    return new ZonedCron(expression(scenario), zone, dst, flexible, schedule);
  }

  /**
   * An expression that fires during the scenario. It is drawn for the offset before or after the
   * change.
   */
  private String expression(Scenario scenario) {
    long soon = random.between(scenario.start() + 5 * SECOND, scenario.faultsTo() + 60 * SECOND);
    ZoneOffset offset = random.oneIn(2) ? change.getOffsetBefore() : change.getOffsetAfter();
    LocalDateTime local = LocalDateTime.ofInstant(Instant.ofEpochMilli(soon), offset);
    int second = random.of(0, 0, 30, local.getSecond());
    int minute = local.getMinute();
    int hour = local.getHour();
    return switch (random.below(6)) {
      case 0 -> "0/30 * * * * ?";
      case 1 -> second + " * * * * ?";
      case 2 -> second + " %d/2 %d * * ?".formatted(minute % 2, hour);
      case 3 ->
          second + " %d,%d %d,%d * * ?".formatted(minute, (minute + 1) % 60, hour, (hour + 1) % 24);
      default -> second + " %d %d * * ?".formatted(minute, hour);
    };
  }
}
