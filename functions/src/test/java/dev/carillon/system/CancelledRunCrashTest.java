package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.BackfillId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.system.Faults.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every call to a store or queue crashes or fails once after a backfill was cancelled while one of
 * its tracked jobs waited for a further attempt. The job ends, and its end is announced.
 */
class CancelledRunCrashTest {

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theEndOfTheWaitingJobIsAnnounced(Kind kind) {
    for (int call : play(-1, kind).faults.callsToTry(kind)) {
      World world = play(call, kind);
      String where = kind + " at call " + call;
      List<Job> cancelled =
          world.jobs.all().stream().filter(job -> job.state() == JobState.CANCELLED).toList();
      assertThat(cancelled).as(where).hasSize(1);
      assertThat(cancelled).as(where).allMatch(job -> !job.isConcluding());
      assertThat(
              world.requestsByJob().keySet().stream()
                  .filter(job -> job.schedule().name().equals("after")))
          .as(where)
          .hasSize(1);
    }
  }

  /** No worker claims the first job. It waits for its second attempt behind the second job. */
  private static World play(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    ScheduleId nightly =
        world.put(
            "nightly",
            active(
                cron("0 0 3 * * ?"),
                "\"program\": \"p\", \"tracking\": {\"enqueueTimeout\": \"PT1M\"},"
                    + " \"retry\": {\"backoff\": \"PT5S\"},"
                    + " \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]"));
    world.put(
        "after",
        active("{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\": [\"CANCELLED\"]}"));
    BackfillId backfill =
        world.backfill(nightly, "2026-02-01T00:00:00Z", "2026-02-03T00:00:00Z", 2);
    world.runFor(Duration.ofSeconds(90));
    assertThat(world.arrivals).hasSize(2);
    world.cancel(backfill);
    world.faults.calls().clear();
    world.faults.choose(call, kind);
    world.runFor(Duration.ofMinutes(5));
    return world;
  }
}
