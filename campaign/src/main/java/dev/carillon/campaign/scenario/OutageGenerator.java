package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.Outage;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.CatchUp;
import dev.carillon.campaign.judge.CatchUp.Policy;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.scenario.Scenario.CalendarChange;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds to some scenarios an outage, and documents that have a policy for missed fires. The outage
 * stops the master for longer than the look-ahead. The crons of the documents fire rarely because
 * the outage is long. In half of these scenarios the user actions are spread over the outage; in
 * the other half they keep their instants.
 */
final class OutageGenerator {

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60_000;

  private final SeededRandom random;

  OutageGenerator(SeededRandom random) {
    this.random = random;
  }

  Scenario addTo(Scenario scenario) {
    if (!random.oneIn(6) || !hasPlain(scenario)) {
      return scenario;
    }
    long from = scenario.start() + random.between(20 * SECOND, 90 * SECOND);
    long to = from + random.between(18 * MINUTE, 25 * MINUTE);
    long faultsTo = to + random.between(60 * SECOND, 150 * SECOND);
    boolean spreads = random.oneIn(2);
    TimeMapping timeMapping =
        new TimeMapping(from, scenario.faultsTo(), spreads ? faultsTo : scenario.faultsTo());
    Map<Integer, ScheduleSpec> documents = new HashMap<>();
    return new Scenario(
        scenario.start(),
        faultsTo,
        faultsTo + scenario.end() - scenario.faultsTo(),
        scenario.repair(),
        scenario.firstTick(),
        scenario.scripts().stream()
            .map(script -> script.stream().map(it -> moved(it, timeMapping, documents)).toList())
            .toList(),
        scenario.producedEvents(),
        scenario.limit(),
        scenario.refusal(),
        scenario.reports(),
        scenario.calendar().stream().map(it -> moved(it, timeMapping)).toList(),
        new Outage(from, to, random.oneIn(2)),
        scenario.deployments(),
        scenario.workers(),
        scenario.pool());
  }

  private static boolean hasPlain(Scenario scenario) {
    return scenario.scripts().stream()
        .flatMap(List::stream)
        .anyMatch(action -> action.spec() != null && action.spec().isPlain());
  }

  /**
   * Maps the instants after {@code from}. The instants up to {@code before} are spread over the
   * time up to {@code after}.
   */
  private record TimeMapping(long from, long before, long after) {
    long moved(long instant) {
      if (instant <= from || instant == History.NEVER) {
        return instant;
      }
      return instant >= before
          ? instant - before + after
          : from + (instant - from) * (after - from) / (before - from);
    }
  }

  private UserAction moved(
      UserAction action, TimeMapping timeMapping, Map<Integer, ScheduleSpec> documents) {
    ScheduleSpec spec = action.spec();
    @Nullable ScheduleSpec document =
        spec == null
            ? null
            : documents.computeIfAbsent(spec.version(), any -> document(spec, timeMapping));
    return new UserAction(
        action.schedule(),
        action.kind(),
        timeMapping.moved(action.at()),
        document,
        action.mode(),
        timeMapping.moved(action.until()),
        action.backfillRange());
  }

  private static CalendarChange moved(CalendarChange change, TimeMapping timeMapping) {
    List<TimeRange> timeRanges = change.timeRanges();
    if (timeRanges == null) {
      return CalendarChange.deletion(timeMapping.moved(change.at()));
    }
    return new CalendarChange(
        timeMapping.moved(change.at()),
        timeRanges.stream()
            .map(
                it ->
                    new TimeRange(
                        second(timeMapping.moved(it.from())), second(timeMapping.moved(it.to()))))
            .toList());
  }

  private static long second(long instant) {
    return instant / SECOND * SECOND;
  }

  private ScheduleSpec document(ScheduleSpec spec, TimeMapping timeMapping) {
    List<Leaf> leaves = spec.leaves().stream().map(leaf -> rarely(leaf, timeMapping)).toList();
    return spec.catchingUp(leaves, spec.isPlain() ? catchUp() : CatchUp.EVERYTHING);
  }

  private Leaf rarely(Leaf leaf, TimeMapping timeMapping) {
    if (leaf instanceof At at) {
      return new At(timeMapping.moved(at.instant()));
    }
    if (leaf instanceof Cron) {
      int second = random.of(0, 0, 30, random.below(60));
      return new Cron("%d 0/%d * * * ?".formatted(second, random.of(1, 2, 2, 3, 4, 5)));
    }
    return leaf;
  }

  private CatchUp catchUp() {
    Policy policy = random.of(Policy.ALL, Policy.ALL, Policy.LATEST, Policy.LATEST, Policy.NONE);
    boolean isBounded = policy != Policy.NONE && random.oneIn(2);
    return new CatchUp(policy, isBounded ? random.between(1, 12) * MINUTE : 0);
  }
}
