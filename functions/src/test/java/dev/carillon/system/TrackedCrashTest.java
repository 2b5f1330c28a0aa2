package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.decision.RunDecision.Repeated;
import dev.carillon.decision.RunDecision.Result;
import dev.carillon.gate.Slots;
import dev.carillon.id.GateKey;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.report.RunReports.Reported;
import dev.carillon.run.Report;
import dev.carillon.system.Faults.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every call to a store or queue crashes or fails once while a worker runs two tracked jobs, one
 * after the other: the first attempt of one fails, that of the other is never claimed, and the
 * second ones succeed. The function that was called crashes with the call; the worker repeats
 * reports that were not answered. The first report of a second attempt is its last one as well.
 */
class TrackedCrashTest {

  private static final String TRACKED =
      "\"program\": \"p\", \"tracking\": {%s}, \"retry\": {\"backoff\": \"PT5S\"},"
          + " \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
  private static final GateKey PROGRAM = GateKey.ofProgram("default", "p");
  private static final Duration LONGEST = Duration.ofMinutes(8);

  @ParameterizedTest
  @EnumSource(names = {"KILL_AFTER", "FAIL_BEFORE"})
  void everyCrashPointIsRepaired(Kind kind) {
    assertEveryCrashPointIsRepaired(kind, Slots.NONE);
  }

  @Tag("proof")
  @ParameterizedTest
  @EnumSource(names = {"KILL_BEFORE", "FAIL_AFTER"})
  void everyOtherCrashPointIsRepaired(Kind kind) {
    assertEveryCrashPointIsRepaired(kind, Slots.NONE);
  }

  @Tag("proof")
  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyCrashPointIsRepairedIfSlotsHaveItems(Kind kind) {
    assertEveryCrashPointIsRepaired(kind, Slots.none(0));
  }

  private static void assertEveryCrashPointIsRepaired(Kind kind, Slots none) {
    for (int call : play(-1, kind, none).faults.callsToTry(kind)) {
      World world = play(call, kind, none);
      String where = kind + " at call " + call + " " + world.faults.calls().get(call);
      for (Job job : runs(world)) {
        assertThat(job.state()).as(where).isEqualTo(JobState.SUCCEEDED);
        assertThat(job.waitsFor()).as(where).isNull();
        assertThat(job.attempt()).as(where).isEqualTo(2);
      }
      assertThat(launches(world, "after")).as(where + ": events of the ends").isEqualTo(2);
      assertThat(launches(world, "after-start")).as(where + ": events of starts").isEqualTo(3);
      assertThat(world.gates.find(List.of(PROGRAM)).get(PROGRAM).slots().size()).as(where).isZero();
      assertThat(world.gates.slotsApart(PROGRAM)).as(where).isEmpty();
    }
  }

  private static List<Job> runs(World world) {
    List<Job> runs =
        world.jobs.all().stream()
            .filter(job -> !job.id().schedule().name().startsWith("after"))
            .toList();
    assertThat(runs).hasSize(2);
    return runs;
  }

  private static long launches(World world, String schedule) {
    return world.requestsByJob().keySet().stream()
        .filter(job -> job.schedule().name().equals(schedule))
        .count();
  }

  private static World play(int call, Kind kind, Slots none) {
    World world = new World("2026-03-01T10:00:30Z", none);
    world.faults.choose(call, kind);
    world.put("nightly", active(cron("40 0 10 1 3 ? 2026"), TRACKED.formatted("")));
    String forgotten = TRACKED.formatted("\"enqueueTimeout\": \"PT1M\"");
    world.put("forgotten", active(cron("41 0 10 1 3 ? 2026"), forgotten));
    String each = "{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\": [\"%s\"]}";
    world.put("after", active(each.formatted("SUCCEEDED")));
    world.put("after-start", active(each.formatted("STARTED")));
    Worker worker = new Worker(world);
    Instant end = world.now().plus(LONGEST);
    while (world.now().isBefore(end)) {
      world.runFor(Duration.ofSeconds(1));
      worker.work();
    }
    return world;
  }

  /** Claims each request, and reports: in the first attempt a failure, in the second a success. */
  private static final class Worker {
    private final World world;
    private final Map<String, String> next = new HashMap<>();

    Worker(World world) {
      this.world = world;
    }

    void work() {
      for (World.Arrival arrival : new ArrayList<>(world.arrivals)) {
        LaunchRequest request = arrival.request();
        String schedule = request.job().schedule().name();
        boolean isForgotten = schedule.equals("forgotten") && request.attempt() == 1;
        if (!schedule.startsWith("after") && !isForgotten) {
          advance(request);
        }
      }
    }

    private void advance(LaunchRequest request) {
      String attempt = request.deduplicationId();
      String step = next.getOrDefault(attempt, "claim");
      String token = "token of " + attempt;
      Supplier<Optional<Reported>> report =
          switch (step) {
            case "claim" ->
                () -> world.reports().claim(request.job(), "w", request.attempt(), token);
            case "heartbeat" ->
                () ->
                    world
                        .reports()
                        .report(request.job(), new Report.Heartbeat(token, null, Map.of()));
            case "end" ->
                () ->
                    request.attempt() == 1
                        ? world
                            .reports()
                            .report(request.job(), new Report.Failure(token, "boom", true))
                        : world.reports().report(request.job(), new Report.Success(token, null));
            default -> Optional::empty;
          };
      call(report)
          .ifPresent(
              reported -> next.put(attempt, following(step, reported.result(), request.attempt())));
    }

    private Optional<Reported> call(Supplier<Optional<Reported>> report) {
      try {
        return world.call(report).flatMap(answer -> answer);
      } catch (RuntimeException unanswered) {
        return Optional.empty();
      }
    }

    private static String following(String step, Result result, int attempt) {
      boolean isTaken = result instanceof Accepted || result instanceof Repeated;
      if (!isTaken) {
        assertThat(result).isInstanceOf(Refused.class);
        return "done";
      }
      return switch (step) {
        case "claim" -> attempt == 1 ? "heartbeat" : "end";
        case "heartbeat" -> "end";
        default -> "done";
      };
    }
  }
}
