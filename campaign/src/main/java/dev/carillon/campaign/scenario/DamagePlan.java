package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An item becomes unreadable for a while, as if it were damaged, or stored by a newer version.
 *
 * @param schedule the schedule whose item it is; all if several schedules share it
 * @param pick chooses one of several items
 * @param from when the item becomes unreadable
 * @param to when it can be read again, or when a caller replaces it
 * @param isReplaced whether a caller replaces it; otherwise it can be read again as it was
 */
public record DamagePlan(
    Item item, String schedule, long pick, long from, long to, boolean isReplaced) {

  private static final int SECOND = 1_000;

  /** The version of a document that replaces an unreadable schedule. */
  private static final int REPLACEMENT = 900;

  /** Heads, definitions and jobs come more often, because most steps need them. */
  private static final List<Item> OFTEN =
      List.of(
          Item.HEAD,
          Item.HEAD,
          Item.HEAD,
          Item.HEAD,
          Item.DEFINITION,
          Item.DEFINITION,
          Item.JOB,
          Item.JOB,
          Item.COLLECTING_JOB,
          Item.BACKFILL,
          Item.TIMER,
          Item.CALENDAR,
          Item.GATE);

  /** The kinds of items that become unreadable. */
  public enum Item {
    HEAD,
    DEFINITION,
    JOB,
    COLLECTING_JOB,
    BACKFILL,
    TIMER,
    CALENDAR,
    GATE
  }

  /**
   * A scenario and its damage.
   *
   * @param plan null for no damage
   */
  public record Damaged(Scenario scenario, @Nullable DamagePlan plan) {}

  /** Adds damage to one in four scenarios without an outage; the others stay as they are. */
  public static Damaged in(Scenario scenario, SeededRandom random) {
    List<UserAction> puts =
        scenario.scripts().stream()
            .flatMap(List::stream)
            .filter(action -> action.kind() == Kind.PUT)
            .toList();
    if (!random.oneIn(4) || scenario.outage() != null || puts.isEmpty()) {
      return new Damaged(scenario, null);
    }
    UserAction put = random.of(puts);
    long last = Math.max(put.at(), scenario.faultsTo() - 20 * SECOND);
    long from = random.between(put.at(), last);
    long to = Math.min(scenario.faultsTo(), from + random.between(5, random.of(30, 150)) * SECOND);
    Item item = random.of(OFTEN);
    boolean isReplaced = (item == Item.HEAD || item == Item.DEFINITION) && random.oneIn(2);
    DamagePlan plan = new DamagePlan(item, put.schedule(), random.any(), from, to, isReplaced);
    Scenario replacing = isReplaced ? plan.replacing(scenario, random) : scenario;
    return replacing.scripts().equals(scenario.scripts())
        ? new Damaged(scenario, plan.passing())
        : new Damaged(replacing, plan);
  }

  /** This damage, after which the item can be read again as it was. */
  private DamagePlan passing() {
    return new DamagePlan(item, schedule, pick, from, to, false);
  }

  /** The scenario in which the schedule's owner changes nothing else until it is replaced. */
  private Scenario replacing(Scenario scenario, SeededRandom random) {
    List<List<UserAction>> scripts = new ArrayList<>();
    for (List<UserAction> script : scenario.scripts()) {
      boolean isOwner =
          script.stream().anyMatch(it -> it.kind() == Kind.PUT && it.schedule().equals(schedule));
      scripts.add(isOwner ? replacing(script, random) : script);
    }
    return scenario.with(scripts, scenario.calendar());
  }

  private List<UserAction> replacing(List<UserAction> script, SeededRandom random) {
    List<UserAction> all = new ArrayList<>();
    script.stream().filter(action -> action.at() < from - 15 * SECOND).forEach(all::add);
    ScheduleSpec last =
        all.stream()
            .filter(action -> action.kind() == Kind.PUT)
            .reduce((first, second) -> second)
            .map(UserAction::spec)
            .orElse(null);
    if (last == null) {
      return script;
    }
    boolean isPast = last.leaves().stream().anyMatch(At.class::isInstance);
    all.add(
        isPast || random.oneIn(4)
            ? new UserAction(schedule, Kind.DELETE, to, null)
            : new UserAction(
                schedule,
                Kind.PUT,
                to,
                last.withVersion(last.version() + REPLACEMENT, last.excludes())));
    script.stream().filter(action -> action.at() > to).forEach(all::add);
    return all;
  }
}
