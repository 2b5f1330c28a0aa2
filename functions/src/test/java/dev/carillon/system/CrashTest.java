package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.backfill.Backfill;
import dev.carillon.gate.Slots;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.system.Faults.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Crashes the process, or makes a call fail, before and after every single call to a store or queue
 * in a scenario. The list of calls comes from an undisturbed run.
 */
@Execution(ExecutionMode.CONCURRENT)
class CrashTest {

  private static final String SIX_SECONDS =
      "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT6S\"}]";

  private static final String BEGIN = "2026-03-01T10:00:30Z";

  /**
   * Jobs with a later {@code scheduledFor} are not judged, because too little of the run is left to
   * repair them.
   */
  private static final Instant END = Instant.parse("2026-03-01T10:02:30Z");

  /** Longer than the visibility time-out of a message plus the time to the next tick. */
  private static final Duration REPAIR = Duration.ofSeconds(90);

  /** Scenarios that involve the master, ingest, the checker and the API. */
  private static final List<String> ONE_FOR_EACH_FUNCTION =
      List.of(
          "plain fires",
          "events of several schedules",
          "a gate",
          "a gate, with items for its slots",
          "a backfill suspended and resumed");

  private static Stream<Scenario> scenarios() {
    return withInlineSlots()
        .flatMap(
            one ->
                one.name().contains("gate") ? Stream.of(one, one.withSlotItems()) : Stream.of(one));
  }

  private static Stream<Scenario> withInlineSlots() {
    return Stream.of(
        scenario(
            "plain fires",
            world -> {
              world.put("a", active(cron("0 1,2 * * * ?")));
              world.put("b", active(cron("0/30 * * * * ?")));
            }),
        scenario("one-time", world -> world.put("once", active(at("2026-03-01T10:01:00Z")))),
        scenario(
            "events of one schedule",
            world -> {
              world.put("p", active(partition("d", 2)));
              world.partitions("d", 1);
              world.partitions("d", 1);
            }),
        scenario(
            "jobs of one schedule",
            world -> {
              world.put("p", active(partition("d", 2)));
              world.partitions("d", 2);
              world.partitions("d", 3);
              world.runFor(Duration.ofSeconds(2));
              world.partitions("d", 2);
            }),
        scenario(
            "events of several schedules",
            world -> {
              world.put("p", active(partition("d", 1)));
              world.put("q", active(and(partition("d", 1), partition("e", 1))));
              world.partitions("d", 1);
              world.partitions("e", 1);
            }),
        scenario(
            "a delay",
            world -> {
              world.put(
                  "w",
                  active(
                      cron("0 1 10 * * ?"),
                      "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT5S\"}]"));
              world.put(
                  "x",
                  active(
                      partition("d", 1),
                      "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT40S\"}]"));
              world.partitions("d", 1);
            }),
        scenario(
            "a gate",
            world -> {
              world.finishRunsAfter(Duration.ofSeconds(8));
              String one =
                  "\"program\": \"p\", \"constraints\": "
                      + "[{\"type\": \"concurrency\", \"max\": 1}]";
              world.put("g", active(partition("d", 1), one));
              world.put("h", active(cron("0 1 10 * * ?"), one));
              world.partitions("d", 1);
              world.partitions("d", 1);
            }),
        scenario(
            "a gate whose runs end together",
            world -> {
              world.finishRunsAfter(Duration.ofSeconds(8));
              world.put(
                  "g",
                  active(
                      partition("d", 1),
                      "\"constraints\": [{\"type\": \"concurrency\", \"max\": 2}]"));
              world.partitions("d", 1);
              world.partitions("d", 1);
              world.partitions("d", 1);
            }),
        scenario(
            "a rate for a group",
            world -> {
              world.put(
                  "r",
                  active(
                      partition("d", 1),
                      "\"constraints\": [{\"type\": \"rate\", \"max\": 1,"
                          + " \"per\": \"PT20S\", \"group\": \"db\"}]"));
              world.partitions("d", 1);
              world.partitions("d", 1);
            }),
        scenario(
            "a gauge",
            world -> {
              String under =
                  "\"constraints\": [{\"type\": \"resource\", \"name\": \"disk\","
                      + " \"atLeast\": 10}]";
              world.put("g", active(partition("d", 1), under));
              world.put("h", active(cron("0 1 10 * * ?"), under));
              world.report("disk", 9, "PT20S");
              world.partitions("d", 1);
              world.partitions("d", 1);
              world.runFor(Duration.ofSeconds(40));
              world.report("disk", 12, null);
            }),
        scenario(
            "a gauge that expires",
            world -> {
              world.put(
                  "u",
                  active(
                      partition("d", 1),
                      "\"constraints\": [{\"type\": \"resource\", \"name\": \"disk\","
                          + " \"atMost\": 10, \"ifUnknown\": \"allow\"}]"));
              world.report("disk", 11, "PT20S");
              world.partitions("d", 1);
            }),
        scenario(
            "periods that elapse after events or a launch",
            world -> {
              world.put(
                  "q",
                  active(
                      "{\"type\": \"quiet\", \"of\": {\"type\": \"partition\", \"dataset\": \"d\"},"
                          + " \"period\": \"PT15S\"}"));
              world.put(
                  "l",
                  active(
                      "{\"type\": \"elapsed\", \"since\": \"lastLaunch\", \"duration\": \"PT80S\"}"));
              world.partitions("d", 1);
            }),
        released(
            "held, and resumed",
            Instant.parse("2026-03-01T10:01:02Z"),
            world -> {
              ScheduleId waiting = world.put("h", active(cron("0/10 * * * * ?"), SIX_SECONDS));
              world.runFor(Duration.ofSeconds(12));
              world.keep(waiting, SuspendMode.HOLD, null);
              world.runFor(Duration.ofSeconds(20));
              world.resumeAndDie(waiting);
            }),
        released(
            "suspended with hold until an instant",
            Instant.parse("2026-03-01T10:01:15.500Z"),
            world -> {
              ScheduleId waiting = world.put("h", active(cron("0/10 * * * * ?"), SIX_SECONDS));
              world.runFor(Duration.ofSeconds(12));
              world.keep(waiting, SuspendMode.HOLD, Instant.parse("2026-03-01T10:01:15.500Z"));
            }),
        scenario(
            "more shards, then fewer",
            world -> {
              world.configureShards(5);
              world.put("a", active(cron("0 1,2 * * * ?")));
              world.put(
                  "x",
                  active(
                      partition("d", 1),
                      "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT40S\"}]"));
              world.partitions("d", 1);
              world.runFor(Duration.ofSeconds(10));
              world.configureShards(1);
            }),
        scenario(
            "a backlog of fires and events",
            world -> {
              ScheduleId fires = world.put("a", active(cron("0/10 * * * * ?")));
              ScheduleId both =
                  world.put("b", active(or(cron("0/20 * * * * ?"), partition("d", 2))));
              world.runFor(Duration.ofSeconds(12));
              world.partitions("d", 1);
              world.keep(fires, SuspendMode.BACKLOG, null);
              world.keep(both, SuspendMode.BACKLOG, null);
              world.runFor(Duration.ofSeconds(12));
              world.resumeAndDie(fires);
              world.resumeAndDie(both);
            }),
        scenario(
            "drained, and suspended jobs cancelled",
            world -> {
              ScheduleId drained = world.put("d", active(cron("0/10 * * * * ?"), SIX_SECONDS));
              ScheduleId held = world.put("h", active(cron("0/10 * * * * ?"), SIX_SECONDS));
              world.runFor(Duration.ofSeconds(12));
              world.keep(drained, SuspendMode.DRAIN, null);
              world.keep(held, SuspendMode.HOLD, null);
              world.runFor(Duration.ofSeconds(20));
              world.keep(held, SuspendMode.DISCARD, null);
            }),
        scenario(
            "a backfill",
            world -> {
              ScheduleId daily = world.put("b", active(cron("0 0 3 * * ?")));
              world.backfill(daily, "2026-02-01T00:00:00Z", "2026-02-05T00:00:00Z", 2);
            }),
        scenario(
            "a backfill suspended and resumed",
            world -> {
              ScheduleId daily = world.put("b", active(cron("0 0 3 * * ?")));
              world.backfill(daily, "2026-02-01T00:00:00Z", "2026-02-05T00:00:00Z", 2);
              world.keep(daily, SuspendMode.HOLD, null);
              world.runFor(Duration.ofSeconds(10));
              world.resumeAndDie(daily);
            }),
        scenario(
            "a backfill through a gate",
            world -> {
              world.finishRunsAfter(Duration.ofSeconds(8));
              ScheduleId daily =
                  world.put(
                      "b",
                      active(
                          cron("0 0 3 * * ?"),
                          "\"constraints\": [{\"type\": \"concurrency\", \"max\": 2}]"));
              world.backfill(daily, "2026-02-01T00:00:00Z", "2026-02-04T00:00:00Z", 3);
            }),
        scenario(
            "a backfill that outlasts its schedule until the deletion",
            world -> {
              world.finishRunsAfter(Duration.ofSeconds(8));
              String thrice =
                  or(
                      at("2026-03-01T10:00:35Z"),
                      at("2026-03-01T10:00:40Z"),
                      at("2026-03-01T10:01:00Z"));
              ScheduleId deleted =
                  world.put(
                      "g",
                      active(
                          thrice,
                          "\"afterCompletion\": \"delete\", \"constraints\": "
                              + "[{\"type\": \"concurrency\", \"max\": 2}]"));
              world.runFor(Duration.ofSeconds(28));
              world.backfill(deleted, "2026-03-01T10:00:30Z", "2026-03-01T10:00:45Z", 1);
            }),
        scenario(
            "a time-out of a collecting job",
            world -> {
              world.put(
                  "t",
                  active(
                      and(partition("d", 1), partition("e", 1)),
                      "\"timeout\": {\"after\": \"PT20S\", \"action\": \"launch\"}"));
              world.put(
                  "u",
                  active(
                      partition("d", 2),
                      "\"timeout\": {\"after\": \"PT30S\", \"action\": \"discard\"}"));
              world.partitions("d", 1);
            }),
        scenario(
            "time-outs of waiting jobs",
            world -> {
              String late =
                  ", \"constraints\": [{\"type\": \"timeWindow\","
                      + " \"from\": \"12:00\", \"to\": \"13:00\"}]";
              String one =
                  ", \"constraints\": " + "[{\"type\": \"rate\", \"max\": 1, \"per\": \"PT10M\"}]";
              String launch = "\"timeout\": {\"after\": \"PT15S\", \"action\": \"launch\"}";
              String discard = "\"timeout\": {\"after\": \"PT15S\", \"action\": \"discard\"}";
              world.put("w", active(cron("0 1 10 * * ?"), launch + late));
              world.put("x", active(partition("d", 1), discard + late));
              world.put("g", active(partition("e", 1), discard + one));
              world.partitions("d", 1);
              world.partitions("e", 1);
              world.partitions("e", 1);
            }),
        scenario(
            "time-outs that stop while jobs are suspended",
            world -> {
              String launch = "\"timeout\": {\"after\": \"PT20S\", \"action\": \"launch\"}";
              ScheduleId collects =
                  world.put("c", active(and(partition("d", 1), partition("e", 1)), launch));
              ScheduleId waits =
                  world.put(
                      "w",
                      active(
                          partition("d", 1),
                          launch
                              + ", \"constraints\": [{\"type\": \"timeWindow\","
                              + " \"from\": \"12:00\", \"to\": \"13:00\"}]"));
              world.partitions("d", 1);
              world.runFor(Duration.ofSeconds(12));
              world.keep(collects, SuspendMode.HOLD, null);
              world.keep(waits, SuspendMode.HOLD, Instant.parse("2026-03-01T10:00:50.500Z"));
              world.runFor(Duration.ofSeconds(20));
              world.resumeAndDie(collects);
            }),
        scenario(
            "backlogs that are merged",
            world -> {
              String merge = "\"whilePending\": \"merge\"";
              ScheduleId fires = world.put("f", active(cron("45 0 10 * * ?"), merge));
              ScheduleId events = world.put("g", active(partition("d", 1), merge));
              world.runFor(Duration.ofSeconds(2));
              world.keep(fires, SuspendMode.BACKLOG, Instant.parse("2026-03-01T10:02:15Z"));
              world.keep(events, SuspendMode.BACKLOG, null);
              world.partitions("d", 1);
              world.runFor(Duration.ofSeconds(2));
              world.partitions("d", 2);
              world.runFor(Duration.ofSeconds(100));
              world.resumeAndDie(events);
            }),
        scenario(
            "fires and events that are merged",
            world -> {
              String merge =
                  "\"whilePending\": \"merge\", \"constraints\": "
                      + "[{\"type\": \"delay\", \"duration\": \"PT200S\"}]";
              world.put("m", active(partition("d", 1), merge));
              world.put("n", active(or(cron("50 0 10 * * ?"), cron("30 2 10 * * ?")), merge));
              world.partitions("d", 1);
              world.runFor(Duration.ofSeconds(2));
              world.partitions("d", 2);
            }),
        scenario(
            "clock or data",
            world -> {
              world.put("m", active(or(cron("0 * * * * ?"), partition("d", 1))));
              world.partitions("d", 1);
            }));
  }

  private static Stream<Arguments> withKinds(Stream<Scenario> scenarios) {
    return scenarios.flatMap(
        scenario -> Stream.of(Kind.values()).map(kind -> Arguments.of(scenario, kind)));
  }

  static Stream<Arguments> oneForEachFunction() {
    return withKinds(
        ONE_FOR_EACH_FUNCTION.stream()
            .map(name -> scenarios().filter(it -> it.name().equals(name)).findFirst().get()));
  }

  static Stream<Arguments> allOthers() {
    return withKinds(scenarios().filter(it -> !ONE_FOR_EACH_FUNCTION.contains(it.name())));
  }

  /**
   * @param room how many slots a gate's item takes; further ones have items of their own
   * @param released when the suspension of the scenario ends, if it holds jobs back. The
   *     undisturbed run launches them when it processes that end; any earlier check of such a job,
   *     for example at the end of a lease, may launch it from this instant on.
   */
  private record Scenario(String name, int room, @Nullable Instant released, Consumer<World> play) {

    Scenario withSlotItems() {
      return new Scenario(name + ", with items for its slots", 0, released, play);
    }

    /**
     * @return when a fire may launch at the earliest
     * @param launched when the undisturbed run launches it
     */
    Instant earliest(JobId fire, Instant launched) {
      boolean isHeldBack =
          released != null && fire.at().isBefore(released) && launched.isAfter(released);
      return isHeldBack ? released : launched;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Scenario scenario(String name, Consumer<World> play) {
    return new Scenario(name, Slots.ROOM, null, play);
  }

  private static Scenario released(String name, Instant released, Consumer<World> play) {
    return new Scenario(name, Slots.ROOM, released, play);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("oneForEachFunction")
  void everyCrashPointOfEachFunctionIsRepaired(Scenario scenario, Kind kind) {
    assertEveryCrashPointIsRepaired(scenario, kind);
  }

  @Tag("proof")
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("allOthers")
  void everyCrashPointIsRepaired(Scenario scenario, Kind kind) {
    assertEveryCrashPointIsRepaired(scenario, kind);
  }

  private static void assertEveryCrashPointIsRepaired(Scenario scenario, Kind kind) {
    World undisturbed = play(scenario, -1, kind);
    Map<JobId, Instant> expected = firstArrivals(undisturbed);
    assertThat(expected).isNotEmpty();
    for (int call : undisturbed.faults.callsToTry(kind)) {
      World world = play(scenario, call, kind);
      String where = kind + " at call " + call + " " + world.faults.calls().get(call);
      assertSameLaunches(scenario, expected, world, where);
      assertThat(stored(expected, world)).as(where).isEqualTo(stored(expected, undisturbed));
    }
  }

  private static World play(Scenario scenario, int call, Kind kind) {
    World world = new World(BEGIN, Slots.none(scenario.room()));
    world.faults.choose(call, kind);
    scenario.play().accept(world);
    world.runUntil(END);
    world.runFor(Duration.ofMinutes(4));
    return world;
  }

  /** The schedules that exist at the end. */
  private static Set<ScheduleId> stored(Map<JobId, Instant> launched, World world) {
    return launched.keySet().stream()
        .map(JobId::schedule)
        .filter(id -> world.schedules.find(id).isPresent())
        .collect(Collectors.toSet());
  }

  private static Map<JobId, Instant> firstArrivals(World world) {
    Map<JobId, Instant> first = new TreeMap<>(Comparator.comparing((JobId id) -> id.toString()));
    world.arrivals.stream()
        .filter(arrival -> !arrival.request().job().at().isAfter(END))
        .forEach(arrival -> first.putIfAbsent(arrival.request().job(), arrival.at()));
    return first;
  }

  private static void assertSameLaunches(
      Scenario scenario, Map<JobId, Instant> expected, World world, String where) {
    Map<JobId, Instant> actual = firstArrivals(world);
    Map<String, Long> expectedCounts = countBySchedule(expected);
    assertThat(countBySchedule(actual)).as(where).isEqualTo(expectedCounts);
    expected.forEach(
        (id, at) -> {
          if (id.isFire()) {
            assertThat(actual).as(where).containsKey(id);
            assertThat(actual.get(id))
                .as(where)
                .isBetween(scenario.earliest(id, at), at.plus(REPAIR));
          }
        });
    assertThat(world.arrivals)
        .as(where)
        .allSatisfy(arrival -> assertThat(arrival.request().attempt()).isEqualTo(1));
    assertThat(world.jobs.all().stream().filter(job -> !job.id().at().isAfter(END)))
        .as(where)
        .allMatch(Job::isEnded);
    assertThat(world.jobs.backfills())
        .as(where)
        .allSatisfy(
            backfill -> {
              assertThat(backfill.state()).isEqualTo(Backfill.State.COMPLETED);
              assertThat(backfill.ended().keySet())
                  .isSubsetOf(JobState.LAUNCHED, JobState.SUCCEEDED);
              assertThat(backfill.ended().values().stream().mapToLong(Number::longValue).sum())
                  .isEqualTo(backfill.order().fires());
            });
    long resent = world.requestsByJob().values().stream().filter(count -> count > 1).count();
    assertThat(resent).as(where + ": resent").isLessThanOrEqualTo(expected.size());
  }

  private static Map<String, Long> countBySchedule(Map<JobId, Instant> arrivals) {
    Map<String, Long> counts = new TreeMap<>();
    arrivals.keySet().forEach(id -> counts.merge(id.schedule().name(), 1L, Long::sum));
    return counts;
  }
}
