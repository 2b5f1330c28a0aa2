package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.Chance;
import dev.carillon.campaign.engine.Outage;
import dev.carillon.campaign.judge.CatchUp;
import dev.carillon.campaign.judge.CatchUp.Policy;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.Wish;
import dev.carillon.campaign.judge.Wish.At;
import dev.carillon.campaign.judge.Wish.Cron;
import dev.carillon.campaign.judge.Wish.Leaf;
import dev.carillon.campaign.scenario.Scenario.Excluding;
import dev.carillon.campaign.scenario.Scenario.Wanted;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Has the master, in some scenarios, not run for longer than fires are handed over ahead, and
 * documents say what becomes of those that are missed. Their crons fire seldom, as the outage is
 * long. In half of these scenarios what users do is spread over it, in the others it comes when it
 * would have come.
 */
final class Outages {

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60_000;

  private final Chance chance;

  Outages(Chance chance) {
    this.chance = chance;
  }

  Scenario to(Scenario scenario) {
    if (!chance.oneIn(6) || !hasPlain(scenario)) {
      return scenario;
    }
    long from = scenario.start() + chance.between(20 * SECOND, 90 * SECOND);
    long to = from + chance.between(18 * MINUTE, 25 * MINUTE);
    long faultsTo = to + chance.between(60 * SECOND, 150 * SECOND);
    boolean spreads = chance.oneIn(2);
    Course course = new Course(from, scenario.faultsTo(), spreads ? faultsTo : scenario.faultsTo());
    Map<Integer, Wish> documents = new HashMap<>();
    return new Scenario(
        scenario.start(),
        faultsTo,
        faultsTo + scenario.end() - scenario.faultsTo(),
        scenario.repair(),
        scenario.firstTick(),
        scenario.scripts().stream()
            .map(script -> script.stream().map(it -> moved(it, course, documents)).toList())
            .toList(),
        scenario.facts(),
        scenario.limit(),
        scenario.refusal(),
        scenario.reports(),
        scenario.calendar().stream().map(it -> moved(it, course)).toList(),
        new Outage(from, to, chance.oneIn(2)),
        scenario.deployments());
  }

  private static boolean hasPlain(Scenario scenario) {
    return scenario.scripts().stream()
        .flatMap(List::stream)
        .anyMatch(wanted -> wanted.wish() != null && wanted.wish().isPlain());
  }

  /** How what was to come between two instants is spread over the time to a third. */
  private record Course(long from, long before, long after) {
    long moved(long instant) {
      if (instant <= from || instant == History.NEVER) {
        return instant;
      }
      return instant >= before
          ? instant - before + after
          : from + (instant - from) * (after - from) / (before - from);
    }
  }

  private Wanted moved(Wanted wanted, Course course, Map<Integer, Wish> documents) {
    Wish wish = wanted.wish();
    @Nullable Wish document =
        wish == null
            ? null
            : documents.computeIfAbsent(wish.version(), any -> document(wish, course));
    return new Wanted(
        wanted.schedule(),
        wanted.kind(),
        course.moved(wanted.at()),
        document,
        wanted.mode(),
        course.moved(wanted.until()),
        wanted.past());
  }

  private static Excluding moved(Excluding change, Course course) {
    List<Stretch> stretches = change.stretches();
    if (stretches == null) {
      return Excluding.removal(course.moved(change.at()));
    }
    return new Excluding(
        course.moved(change.at()),
        stretches.stream()
            .map(it -> new Stretch(second(course.moved(it.from())), second(course.moved(it.to()))))
            .toList());
  }

  private static long second(long instant) {
    return instant / SECOND * SECOND;
  }

  private Wish document(Wish wish, Course course) {
    List<Leaf> leaves = wish.leaves().stream().map(leaf -> seldom(leaf, course)).toList();
    return wish.catchingUp(leaves, wish.isPlain() ? catchUp() : CatchUp.EVERYTHING);
  }

  private Leaf seldom(Leaf leaf, Course course) {
    if (leaf instanceof At at) {
      return new At(course.moved(at.instant()));
    }
    if (leaf instanceof Cron) {
      int second = chance.of(0, 0, 30, chance.below(60));
      return new Cron("%d 0/%d * * * ?".formatted(second, chance.of(1, 2, 2, 3, 4, 5)));
    }
    return leaf;
  }

  private CatchUp catchUp() {
    Policy policy = chance.of(Policy.ALL, Policy.ALL, Policy.LATEST, Policy.LATEST, Policy.NONE);
    boolean isBounded = policy != Policy.NONE && chance.oneIn(2);
    return new CatchUp(policy, isBounded ? chance.between(1, 12) * MINUTE : 0);
  }
}
