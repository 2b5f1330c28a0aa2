package dev.carillon.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Shared;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.system.World;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A checker sends a request only while enough of its lease on the job is left. */
class LaunchSenderTest {

  private static final Instant LEASE_END = Instant.parse("2026-03-01T10:00:15Z");

  private final World world = new World("2026-03-01T10:00:00Z");
  private final List<LaunchRequest> sent = new ArrayList<>();
  private final ScheduleId id =
      world.put(
          "a",
          """
          {"trigger": {"type": "manual"}, "state": "ACTIVE",
           "target": {"queue": "work", "template": {}}}
          """);
  private final Job job =
      NewJob.launchedNow(
              JobId.ofLaunchNow(id, 1, world.now(), "abcd"), 1, "a", world.now(), Json.object())
          .launching(world.now(), LEASE_END);

  private Map<Subject, Instant> send(Instant now) {
    ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
    Shared shared =
        new Shared(
            world.schedules,
            new CompiledSchedules(world.schedules, world.calendars, parser),
            world.timers,
            world.jobs,
            world.jobs,
            world.gates,
            world.gates.pools(),
            world.checkQueue,
            world.ingestQueue,
            world.updates);
    TargetPolicy anywhere =
        new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of());
    LaunchSender sender =
        new LaunchSender(shared, new Requests(anywhere), new Recorded(), () -> now, Duration.ZERO);
    StoredSchedule stored = world.schedules.find(id).orElseThrow();
    Compiled compiled = new Compiled(stored.definition(), parser.parseStored(stored.definition()));
    world.jobs.insert(List.of(job));
    TimeoutPolicy timeouts = new TimeoutPolicy(compiled.schedule(), stored.head());
    return sender.send(List.of(new Launch(compiled, timeouts, Map.of(), null, job)));
  }

  private Job stored() {
    return world.jobs.find(List.of(job.id())).get(job.id());
  }

  @Test
  void aRequestIsSentWhileTheLeaseLasts() {
    assertThat(send(LEASE_END.minusMillis(5_001))).isEmpty();
    assertThat(sent).hasSize(1);
    assertThat(stored().state()).isEqualTo(JobState.LAUNCHED);
  }

  @ParameterizedTest
  @CsvSource({"-5000", "-1", "0", "60000"})
  void aCheckerThatWasPausedUntilItsLeaseEndsSoonSendsNothing(long afterLease) {
    assertThat(send(LEASE_END.plusMillis(afterLease))).isEqualTo(Map.of(job.id(), LEASE_END));
    assertThat(sent).isEmpty();
    assertThat(stored()).isEqualTo(job);
  }

  private final class Recorded implements TargetQueues {
    @Override
    public List<Outcome> send(List<LaunchRequest> requests) {
      sent.addAll(requests);
      return requests.stream().map(request -> (Outcome) new Sent()).toList();
    }

    @Override
    public OptionalLong waiting(String queueArn) {
      return OptionalLong.empty();
    }

    @Override
    public void prepare(String queueArn) {}
  }
}
