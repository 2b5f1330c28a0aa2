package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.Fact;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Whole;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.List;

/** Adds to some scenarios schedules with triggers of every kind, and events for them. */
final class TriggerScenarios {

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60 * SECOND;
  private static final int FIRST_VERSION = 20_000;
  private static final int DEEPEST = 3;

  private final SeededRandom random;
  private final TriggerGenerator triggers;
  private int versions = FIRST_VERSION;

  TriggerScenarios(SeededRandom random) {
    this.random = random;
    this.triggers = new TriggerGenerator(random);
  }

  Scenario addTo(Scenario scenario) {
    if (!random.oneIn(4) || scenario.outage() != null) {
      return scenario;
    }
    List<List<UserAction>> scripts = new ArrayList<>();
    for (int i = random.of(1, 2, 3); i > 0; i--) {
      addSchedule("t" + i, scenario, scripts);
    }
    return scenario.withEvents(scripts, events(scenario));
  }

  private void addSchedule(String name, Scenario scenario, List<List<UserAction>> scripts) {
    List<UserAction> life = new ArrayList<>();
    long at = scenario.start() + random.between(0, 15 * SECOND);
    life.add(put(name, at));
    for (int i = random.of(0, 0, 0, 1, 1, 2); i > 0 && at < scenario.faultsTo(); i--) {
      at = any(at + SECOND, scenario.faultsTo());
      at = change(name, at, life);
    }
    scripts.add(life);
    if (random.oneIn(5)) {
      long asked = any(scenario.start() + 5 * SECOND, scenario.faultsTo());
      scripts.add(List.of(new UserAction(name, Kind.LAUNCH, asked, null)));
    }
  }

  /** Adds a change, and returns the instant of its last action. */
  private long change(String name, long at, List<UserAction> life) {
    long later = at + random.between(0, 40 * SECOND);
    switch (random.below(4)) {
      case 0 -> {
        life.add(new UserAction(name, Kind.DELETE, at, null));
        life.add(put(name, later));
      }
      case 1 -> {
        life.add(put(name, at));
        return at;
      }
      default -> {
        Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
        life.add(UserAction.suspend(name, at, mode, History.NEVER));
        life.add(new UserAction(name, Kind.RESUME, later, null));
      }
    }
    return later;
  }

  private UserAction put(String name, long at) {
    Whole whole = new Whole(triggers.trigger(DEEPEST));
    ScheduleSpec spec = new ScheduleSpec(++versions, Join.ANY, List.of(whole), false);
    return new UserAction(name, Kind.PUT, at, spec);
  }

  /** Events under faults and after them, some of them close to one another. */
  private List<ProducedEvent> events(Scenario scenario) {
    List<ProducedEvent> events = new ArrayList<>();
    for (int i = random.of(3, 5, 8, 12); i > 0; i--) {
      long at =
          random.oneIn(3)
              ? any(scenario.faultsTo(), scenario.faultsTo() + 7L * MINUTE)
              : any(scenario.start() + 5 * SECOND, scenario.faultsTo());
      Fact said = triggers.fact();
      for (int j = random.of(1, 1, 2, 3, 4); j > 0; j--) {
        Channel channel =
            random.of(Channel.MESSAGE, Channel.MESSAGE, Channel.MESSAGE_WITHOUT_ID, Channel.API);
        events.add(new ProducedEvent(at, said, channel));
        said = random.oneIn(3) ? triggers.fact() : said;
        at += random.between(0, 20 * SECOND);
      }
    }
    return events;
  }

  private long any(long from, long to) {
    return from + random.between(0, Math.max(SECOND, to - from));
  }
}
