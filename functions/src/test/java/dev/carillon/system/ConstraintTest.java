package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that wait for an instant. */
class ConstraintTest {

  private static final String NIGHT =
      "\"constraints\": [{\"type\": \"timeWindow\", \"from\": \"22:00\", \"to\": \"06:00\"}]";

  private final World world = new World("2026-03-01T10:00:30Z");

  private static String delay(String duration) {
    return "\"constraints\": [{\"type\": \"delay\", \"duration\": \"%s\"}]".formatted(duration);
  }

  private JobId fire(ScheduleId id, String at) {
    return JobId.ofFire(id, 1, Instant.parse(at));
  }

  private List<Instant> arrivals() {
    return world.arrivals.stream().map(World.Arrival::at).toList();
  }

  @Test
  void fireWaitsForItsDelayToTheSecond() {
    ScheduleId id = world.put("a", active(cron("0 5 10 * * ?"), delay("PT7M30S")));
    world.runUntil("2026-03-01T10:06:00Z");

    Job waiting = world.job(fire(id, "2026-03-01T10:05:00Z"));
    assertThat(waiting.state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    assertThat(waiting.notBefore()).isEqualTo("2026-03-01T10:12:30Z");
    assertThat(waiting.transitions())
        .extracting(Transition::reasonText)
        .containsExactly("its delay of PT7M30S has not passed");

    world.runUntil("2026-03-01T10:30:00Z");
    assertThat(arrivals()).containsExactly(Instant.parse("2026-03-01T10:12:30Z"));
    assertThat(world.job(waiting.id()).transitions())
        .extracting(Transition::state)
        .containsExactly(JobState.PENDING_CONSTRAINT, JobState.PENDING_LAUNCH, JobState.LAUNCHED);
  }

  @Test
  void windowThatOpensHoursLaterOpensToTheSecond() {
    world.put("a", active(cron("0 5 10 * * ?"), NIGHT));
    world.runUntil("2026-03-01T21:57:00Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(world.checkQueue.all()).isEmpty();

    world.runUntil("2026-03-01T23:00:00Z");
    assertThat(arrivals()).containsExactly(Instant.parse("2026-03-01T22:00:00Z"));
  }

  @Test
  void ofJobsThatWaitForOneOpeningTheMostUrgentIsSentFirst() {
    world.put("a", active(cron("0 5 10 * * ?"), NIGHT + ", \"priority\": 9"));
    ScheduleId urgent =
        world.put("b", active("{\"type\": \"manual\"}", NIGHT + ", \"priority\": 0"));
    world.launchNow(urgent);
    world.runUntil("2026-03-01T23:00:00Z");
    assertThat(world.arrivals)
        .extracting(arrival -> arrival.request().job().schedule().name())
        .containsExactly("b", "a");
  }

  @Test
  void theSweepReplacesALostMessage() {
    world.put("a", active(cron("0 5 10 * * ?"), delay("PT5M")));
    world.runUntil("2026-03-01T10:04:59Z");
    world.runUntil("2026-03-01T10:05:00Z");
    world.checkQueue.receive(world.now().plusSeconds(900), 100).forEach(world.checkQueue::delete);

    world.runUntil("2026-03-01T10:15:00Z");
    assertThat(arrivals()).hasSize(1);
    assertThat(arrivals().get(0))
        .isBetween(Instant.parse("2026-03-01T10:10:00Z"), Instant.parse("2026-03-01T10:11:00Z"));
  }

  @Test
  void theReasonIsRecordedOnce() {
    ScheduleId id = world.put("a", active(cron("0 5 10 * * ?"), NIGHT));
    world.runUntil("2026-03-01T10:06:00Z");
    JobId job = fire(id, "2026-03-01T10:05:00Z");
    Job waiting = world.job(job);
    for (int look = 0; look < 5; look++) {
      world.checkQueue.send(List.of(new Check(world.now(), List.of(job))), world.now());
      world.runFor(Duration.ofMinutes(1));
    }
    assertThat(world.job(job)).isEqualTo(waiting);
  }

  @Test
  void closedWindowWithSkipEndsTheJob() {
    ScheduleId id =
        world.put(
            "a",
            active(
                cron("0 5 10 * * ?"),
                NIGHT.replace("\"06:00\"", "\"06:00\", \"onUnmet\": \"skip\"")));
    world.runUntil("2026-03-01T23:00:00Z");

    Job skipped = world.job(fire(id, "2026-03-01T10:05:00Z"));
    assertThat(skipped.state()).isEqualTo(JobState.SKIPPED);
    assertThat(skipped.lastReason())
        .isEqualTo("its time window from 22:00 to 06:00 in Z is closed");
    assertThat(world.arrivals).isEmpty();
  }

  @Test
  void jobOfAnEventWaits() {
    world.put("a", active(partition("d", 1), delay("PT20M")));
    world.partitions("d", 1);
    world.runFor(Duration.ofMinutes(40));
    assertThat(arrivals()).containsExactly(Instant.parse("2026-03-01T10:20:30Z"));
  }

  @Test
  void aWaitingJobHasItsPriority() {
    ScheduleId id = world.put("a", active(cron("0 5 10 * * ?"), "\"priority\": 2, " + NIGHT));
    world.runUntil("2026-03-01T10:06:00Z");
    assertThat(world.job(fire(id, "2026-03-01T10:05:00Z")).priority()).isEqualTo(2);
  }

  @Test
  void waitingJobsAreCancelledWithTheirDefinition() {
    ScheduleId id = world.put("a", active(cron("0 5 10 * * ?"), NIGHT));
    world.runUntil("2026-03-01T10:06:00Z");
    world.put("a", active(cron("0 0 11 * * ?")));
    world.runUntil("2026-03-02T01:00:00Z");
    assertThat(world.job(fire(id, "2026-03-01T10:05:00Z")).state()).isEqualTo(JobState.CANCELLED);
    assertThat(arrivals()).containsExactly(Instant.parse("2026-03-01T11:00:00Z"));
  }

  /** All jobs wait for one opening; the messages name them by priority. */
  @Test
  void thousandsLaunchAtTheOpeningInOrderOfPriority() {
    int schedules = 3_000;
    for (int i = 0; i < schedules; i++) {
      world.put("s" + i, active(cron("0 5 10 * * ?"), "\"priority\": " + i % 10 + ", " + NIGHT));
    }
    world.runUntil("2026-03-01T12:00:00Z");
    assertThat(world.jobs.all()).hasSize(schedules);
    assertThat(world.checkQueue.all()).isEmpty();

    world.runUntil("2026-03-01T22:00:10Z");
    assertThat(world.arrivals).hasSize(schedules);
    assertThat(arrivals()).allMatch(Instant.parse("2026-03-01T22:00:00Z")::equals);
    List<Integer> priorities =
        world.arrivals.stream()
            .map(arrival -> world.job(arrival.request().job()).priority())
            .toList();
    assertThat(priorities).isSorted();
  }
}
