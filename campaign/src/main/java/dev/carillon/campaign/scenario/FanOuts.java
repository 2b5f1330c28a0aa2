package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds to some scenarios so many schedules of one event key that ingest must pass on each event in
 * several messages. Some of these schedules change meanwhile, and other events come.
 */
final class FanOuts {

  private static final int SECOND = 1_000;
  private static final int FIRST_VERSION = 30_000;

  private final SeededRandom random;
  private int versions = FIRST_VERSION;

  FanOuts(SeededRandom random) {
    this.random = random;
  }

  Scenario addTo(Scenario scenario) {
    if (!random.oneIn(8) || scenario.outage() != null) {
      return scenario;
    }
    String dataset = random.of("d", "e");
    List<List<UserAction>> scripts = new ArrayList<>();
    for (int i = (int) random.between(7, 14); i > 0; i--) {
      scripts.add(life(Scenario.FAN_OUT + i, dataset, scenario));
    }
    List<ProducedEvent> events = new ArrayList<>();
    for (int i = random.of(3, 5, 8); i > 0; i--) {
      long at = any(scenario.start() + 5 * SECOND, scenario.faultsTo() + 60 * SECOND);
      Channel channel = random.of(Channel.MESSAGE, Channel.MESSAGE_WITHOUT_ID, Channel.API);
      events.add(new ProducedEvent(at, dataset, random.of(1, 1, 2, 3), channel));
    }
    return scenario.withEvents(scripts, events);
  }

  private List<UserAction> life(String name, String dataset, Scenario scenario) {
    List<UserAction> life = new ArrayList<>();
    life.add(put(name, dataset, scenario.start() + random.between(0, 15 * SECOND)));
    if (!random.oneIn(3)) {
      return life;
    }
    long at = any(scenario.start() + 20 * SECOND, scenario.faultsTo());
    long later = at + random.between(0, 30 * SECOND);
    switch (random.below(3)) {
      case 0 -> life.add(put(name, dataset, at));
      case 1 -> {
        life.add(new UserAction(name, Kind.DELETE, at, null));
        life.add(put(name, dataset, later));
      }
      default -> {
        Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
        life.add(UserAction.suspend(name, at, mode, History.NEVER));
        life.add(new UserAction(name, Kind.RESUME, later, null));
      }
    }
    return life;
  }

  private UserAction put(String name, String dataset, long at) {
    Partitions partitions = new Partitions(dataset, random.of(1, 1, 2, 3));
    ScheduleSpec spec = new ScheduleSpec(++versions, Join.ANY, List.of(partitions), false);
    return new UserAction(name, Kind.PUT, at, spec);
  }

  private long any(long from, long to) {
    return from + random.between(0, Math.max(SECOND, to - from));
  }
}
