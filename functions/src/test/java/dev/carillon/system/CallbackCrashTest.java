package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.decision.RunDecision.Repeated;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.report.RunReports.Reported;
import dev.carillon.run.Report;
import dev.carillon.system.Faults.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every call to a store or queue crashes or fails once while jobs end in each way and call back:
 * one is sent, one succeeds by its worker, one by an event, one is skipped, and two time out. No
 * callback is lost, none comes before its end is stored, and repeated ones have one identity.
 */
class CallbackCrashTest {

  private static final String ON_END =
      "\"onEnd\": {\"queue\": \"ended\", \"template\": {\"how\": \"${outcome}\"}}";
  private static final String DUE = at("2026-03-01T10:00:40Z");
  private static final Duration LONGEST = Duration.ofMinutes(6);
  private static final Map<String, JobState> ENDS =
      Map.of(
          "sent", JobState.LAUNCHED,
          "tracked", JobState.SUCCEEDED,
          "slotted", JobState.SUCCEEDED,
          "skipped", JobState.SKIPPED,
          "waiting", JobState.TIMED_OUT,
          "collecting", JobState.TIMED_OUT);

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyCrashPointIsRepaired(Kind kind) {
    for (int call : play(-1, kind).faults.callsToTry(kind)) {
      World world = play(call, kind);
      String where = kind + " at call " + call + " " + world.faults.calls().get(call);
      Map<String, Job> ended =
          world.jobs.all().stream()
              .collect(Collectors.toMap(job -> job.id().schedule().name(), job -> job));
      assertThat(ended.keySet()).as(where).isEqualTo(ENDS.keySet());
      ended.forEach(
          (name, job) -> {
            assertThat(job.state()).as(where + " of " + name).isEqualTo(ENDS.get(name));
            assertThat(job.waitsFor()).as(where + " of " + name).isNull();
            assertCallback(world, job, where + " of " + name);
          });
    }
  }

  private static void assertCallback(World world, Job job, String where) {
    List<World.Arrival> callbacks =
        world.arrivals.stream()
            .filter(it -> it.request().isCallback() && it.request().job().equals(job.id()))
            .toList();
    assertThat(callbacks).as(where).isNotEmpty();
    Set<LaunchRequest> distinct = new HashSet<>();
    callbacks.forEach(it -> distinct.add(it.request()));
    assertThat(distinct).as(where).hasSize(1);
    LaunchRequest callback = distinct.iterator().next();
    assertThat(callback.attributes())
        .as(where)
        .containsEntry("carillon-outcome", job.state().name());
    Instant end = Objects.requireNonNull(job.endedAt());
    assertThat(callbacks).as(where).noneMatch(it -> it.at().isBefore(end));
  }

  private static World play(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    world.faults.choose(call, kind);
    String closed =
        "\"constraints\": [{\"type\": \"timeWindow\", \"from\": \"11:00\", \"to\": \"12:00\"%s}]";
    String timeout = ", \"timeout\": {\"after\": \"PT1M\", \"action\": \"discard\"}, ";
    world.put("sent", active(DUE, ON_END));
    world.put("tracked", active(DUE, ON_END + ", \"tracking\": {}, \"program\": \"t\""));
    String slot = ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
    world.put("slotted", active(DUE, ON_END + slot));
    world.put("skipped", active(DUE, ON_END + ", " + closed.formatted(", \"onUnmet\": \"skip\"")));
    world.put("waiting", active(DUE, ON_END + timeout + closed.formatted("")));
    String discard = ", \"timeout\": {\"after\": \"PT1M\", \"action\": \"discard\"}";
    world.put("collecting", active(partition("d", 2), ON_END + discard));
    world.partitions("d", 1);
    Workers workers = new Workers(world);
    Instant end = world.now().plus(LONGEST);
    while (world.now().isBefore(end)) {
      world.runFor(Duration.ofSeconds(1));
      workers.work();
    }
    return world;
  }

  /** Runs the requests of two schedules: one with reports, the other with an event of its end. */
  private static final class Workers {
    private final World world;
    private final Set<String> done = new HashSet<>();

    Workers(World world) {
      this.world = world;
    }

    void work() {
      for (World.Arrival arrival : List.copyOf(world.arrivals)) {
        LaunchRequest request = arrival.request();
        String schedule = request.job().schedule().name();
        if (request.isCallback() || done.contains(schedule)) {
          continue;
        }
        if (schedule.equals("slotted")) {
          done.add(schedule);
          reportByEvent(request.job());
        } else if (schedule.equals("tracked") && succeeded(request.job())) {
          done.add(schedule);
        }
      }
    }

    private void reportByEvent(JobId job) {
      world.event(
          """
          {"eventType": "PROGRAM_STATUS",
           "payload": {"programId": "slotted", "status": "SUCCEEDED", "runId": "%s"}}
          """
              .formatted(job));
    }

    private boolean succeeded(JobId job) {
      call(() -> world.reports().claim(job, "w", 1, "token"));
      Report success = new Report.Success("token", Json.object().put("rows", 7));
      return call(() -> world.reports().report(job, success))
          .map(Reported::result)
          .filter(result -> result instanceof Accepted || result instanceof Repeated)
          .isPresent();
    }

    private Optional<Reported> call(Supplier<Optional<Reported>> report) {
      try {
        return world.call(report).flatMap(answer -> answer);
      } catch (RuntimeException unanswered) {
        return Optional.empty();
      }
    }
  }
}
