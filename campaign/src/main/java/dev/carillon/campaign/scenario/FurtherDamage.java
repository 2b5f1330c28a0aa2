package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.scenario.DamagePlan.Damaged;
import dev.carillon.campaign.scenario.DamagePlan.Item;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.List;

/** Adds damage that lasts until something else is stored in the place of the damaged item. */
public final class FurtherDamage {

  private static final int SECOND = 1_000;

  private static final List<Item> REPLACED_BY_CALLERS =
      List.of(Item.CALENDAR, Item.CALENDAR, Item.GATE, Item.COLLECTING_JOB);

  private FurtherDamage() {}

  /**
   * Damages a calendar, a gate or a collecting job, in one of eight scenarios without an outage. A
   * caller then stores the calendar once more, or stores the schedule that has the collecting job
   * or passes the gate.
   */
  public static Damaged replaced(Scenario scenario, SeededRandom random) {
    Damaged none = new Damaged(scenario, null);
    if (!random.oneIn(8) || scenario.outage() != null) {
      return none;
    }
    List<Item> items =
        REPLACED_BY_CALLERS.stream().filter(item -> !makers(scenario, item).isEmpty()).toList();
    if (items.isEmpty()) {
      return none;
    }
    Item item = random.of(items);
    UserAction maker = random.of(makers(scenario, item));
    DamagePlan plan = plan(scenario, item, maker.schedule(), maker.at(), random);
    Scenario stored = item == Item.CALENDAR ? scenario : plan.storingLabels(scenario);
    Scenario replacing =
        item == Item.CALENDAR ? plan.storingCalendar(stored) : plan.replacing(stored, random);
    boolean isUnchanged =
        replacing.scripts().equals(stored.scripts())
            && replacing.calendar().equals(stored.calendar());
    return isUnchanged ? none : new Damaged(replacing, plan);
  }

  /**
   * The actions after which there can be an item that a later action of the same schedule replaces.
   */
  private static List<UserAction> makers(Scenario scenario, Item item) {
    return DamagePlan.makers(scenario, item).stream()
        .filter(maker -> item != Item.GATE || passesGate(scenario, maker))
        .toList();
  }

  /** Whether the schedule passes the gate of the program that the plan names. */
  private static boolean passesGate(Scenario scenario, UserAction maker) {
    ScheduleSpec spec = maker.spec();
    return scenario.limit() > 0 ? spec != null && spec.limit() > 0 : DamagePlan.isLimited(maker);
  }

  /**
   * Damages the app, or what the master knows of its progress, in about one in six of the scenarios
   * without an outage. Nothing but deployments and ticks needs these items. A deployment replaces
   * the app; a tick replaces the other items.
   */
  public static Damaged alone(Scenario scenario, SeededRandom random) {
    if (!random.oneIn(6) || scenario.outage() != null) {
      return new Damaged(scenario, null);
    }
    List<Item> items = new ArrayList<>(List.of(Item.PROGRESS, Item.AUDIT));
    // There must be only one user that deploys. If another deployment has replaced its lease, a
    // deployment ends, and its answer does not say so.
    boolean isDeployedByOne = scenario.deployments().size() == 1;
    items.addAll(isDeployedByOne ? List.of(Item.APP, Item.APP, Item.APP, Item.APP) : List.of());
    Item item = random.of(items);
    return new Damaged(scenario, plan(scenario, item, "", scenario.start(), random));
  }

  private static DamagePlan plan(
      Scenario scenario, Item item, String schedule, long first, SeededRandom random) {
    long last = Math.max(first + SECOND, scenario.faultsTo() - 20 * SECOND);
    long from = random.between(first, last);
    long seconds = random.between(5, random.of(30, 150));
    long to = Math.min(scenario.faultsTo(), from + seconds * SECOND);
    return new DamagePlan(item, schedule, random.any(), from, to, true);
  }
}
