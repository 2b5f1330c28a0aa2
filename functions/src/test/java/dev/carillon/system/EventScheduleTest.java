package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventScheduleTest {

  private final World world = new World("2026-03-01T10:00:00Z");

  private int launches() {
    return world.arrivals.size();
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(5));
  }

  @Test
  void launchesOnceEnoughPartitionsCame() {
    world.put("p", active(partition("d1", 3)));
    world.partitions("d1", 2);
    settle();
    assertThat(launches()).isZero();
    world.partitions("d1", 1);
    settle();
    assertThat(launches()).isEqualTo(1);
    Job job = world.jobs.all().get(0);
    assertThat(job.state()).isEqualTo(JobState.LAUNCHED);
    assertThat(job.triggerState().leaves().get(0).actual()).isEqualTo(3);
    assertThat(job.triggerState().events()).hasSize(2);
  }

  @Test
  void andOrOfTwoDataSets() {
    world.put("P", active(partition("d1", 3)));
    world.put("and", active(and(partition("d1", 3), partition("d2", 1))));
    world.put("or", active(or(partition("d1", 3), partition("d2", 1))));
    world.put("twice", active(and(partition("d1", 3), partition("d1", 3))));
    world.partitions("d1", 2);
    settle();
    assertThat(launches()).isZero();
    world.partitions("d1", 1);
    settle();
    assertThat(world.arrivals.stream().map(a -> a.request().job().schedule().name()))
        .containsExactlyInAnyOrder("P", "or", "twice");
    world.partitions("d2", 1);
    settle();
    assertThat(world.arrivals.stream().map(a -> a.request().job().schedule().name()))
        .containsExactlyInAnyOrder("P", "or", "twice", "and", "or");
  }

  /** An event that finds no schedule is searched for again, but not for later schedules. */
  @Test
  void anEventDoesNotCountForAScheduleThatWasCreatedAfterIt() {
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(2));
    world.put("p", active(partition("d", 1)));
    settle();
    assertThat(world.jobs.all()).isEmpty();

    world.partitions("d", 1);
    settle();
    assertThat(launches()).isEqualTo(1);
  }

  @Test
  void eventsOfASuspendedScheduleMakeNoJob() {
    world.put("p", active(partition("d", 1)).replace("ACTIVE", "SUSPENDED"));
    world.partitions("d", 1);
    settle();
    assertThat(world.jobs.all()).isEmpty();
    assertThat(world.jobs.collectingJob(new ScheduleId("default", "p"), world.now())).isEmpty();
  }

  @Test
  void suspensionChangeAndDeletionRestartTheCount() {
    List<Runnable> interruptions = new ArrayList<>();
    ScheduleId id = new ScheduleId("default", "p");
    interruptions.add(
        () -> {
          world.suspend(id);
          world.resume(id);
        });
    interruptions.add(() -> world.put("p", active(partition("d", 2), "\"priority\": 4")));
    interruptions.add(
        () -> {
          world.delete(id);
          world.put("p", active(partition("d", 2)));
        });
    world.put("p", active(partition("d", 2)));
    int expected = 0;
    for (Runnable interruption : interruptions) {
      world.partitions("d", 1);
      settle();
      interruption.run();
      world.partitions("d", 1);
      settle();
      assertThat(launches()).isEqualTo(expected);
      world.partitions("d", 1);
      settle();
      assertThat(launches()).isEqualTo(++expected);
    }
    assertThat(world.jobs.all().stream().filter(job -> job.state() == JobState.CANCELLED))
        .hasSize(3)
        .allSatisfy(job -> assertThat(job.triggerState().leaves().get(0).actual()).isEqualTo(1));
  }

  @Test
  void eachOfThreeEventsIsAJobAndTheSurplusOfOneStaysWithItsJob() {
    world.put("p", active(partition("d", 1)));
    world.partitions("d", 1);
    world.partitions("d", 5);
    world.partitions("d", 1);
    settle();
    assertThat(launches()).isEqualTo(3);
    assertThat(world.jobs.all().stream().map(job -> job.triggerState().leaves().get(0).actual()))
        .containsExactly(1L, 5L, 1L);
  }

  @Test
  void moreJobsThanOneTransactionHoldsAllLaunch() {
    world.put("p", active(partition("d", 1)));
    for (int i = 0; i < 175; i++) {
      world.partitions("d", 1);
    }
    settle();
    assertThat(launches()).isEqualTo(175);
    assertThat(world.requestsByJob()).hasSize(175);
  }

  @Test
  void aRepeatedEventCountsOnce() {
    world.put("p", active(partition("d", 2)));
    String event =
        """
        {"id": "same", "eventType": "PARTITION",
         "payload": {"datasetId": "d", "partitionKeys": ["a"]}}
        """;
    world.event("first", event);
    world.event("second", event);
    settle();
    world.event("third", event);
    settle();
    assertThat(launches()).isZero();
    world.partitions("d", 1);
    settle();
    assertThat(launches()).isEqualTo(1);
  }

  @Test
  void programStatusStartsTheNextProgramOnlyAfterSuccess() {
    world.put(
        "b",
        active("{\"type\": \"programStatus\", \"program\": \"a\", \"statuses\": [\"SUCCEEDED\"]}"));
    world.event(
        """
        {"eventType": "PROGRAM_STATUS", "payload": {"programId": "a", "status": "FAILED"}}
        """);
    settle();
    assertThat(launches()).isZero();
    world.event(
        """
        {"eventType": "PROGRAM_STATUS", "payload": {"programId": "a", "status": "SUCCEEDED"}}
        """);
    settle();
    assertThat(launches()).isEqualTo(1);
  }

  @Test
  void aProgramThatEndsSeveralTimesInOneOfTheNamedWaysStartsTheNextOnce() {
    world.put(
        "alert",
        active(
            """
            {"type": "programStatus", "program": "a", "statuses": ["FAILED", "CANCELLED"],
             "count": 3}
            """));
    for (String status : List.of("FAILED", "SUCCEEDED", "CANCELLED", "STARTED")) {
      ended("a", status);
    }
    ended("b", "FAILED");
    assertThat(launches()).isZero();
    ended("a", "FAILED");
    assertThat(launches()).isEqualTo(1);
    ended("a", "FAILED");
    assertThat(launches()).isEqualTo(1);
  }

  private void ended(String program, String status) {
    world.event(
        """
        {"eventType": "PROGRAM_STATUS", "payload": {"programId": "%s", "status": "%s"}}
        """
            .formatted(program, status));
    settle();
  }

  @Test
  void eitherTheClockOrTheDataLaunchesAndNoFireIsLostBetweenThem() {
    world.put("either", active(or(cron("0 0/5 * * * ?"), partition("d", 2))));
    world.runUntil("2026-03-01T10:05:01Z");
    assertThat(launches()).isEqualTo(1);
    world.partitions("d", 2);
    settle();
    assertThat(launches()).isEqualTo(2);
    world.partitions("d", 1);
    world.runUntil("2026-03-01T10:20:30Z");
    assertThat(launches()).isEqualTo(5);
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
    assertThat(world.arrivals.get(2).request().body()).contains("2026-03-01T10:10:00.000Z");
  }

  @Test
  void bothTheClockAndTheDataAreNeeded() {
    world.put("both", active(and(cron("0 0 * * * ?"), partition("d", 1))));
    world.runUntil("2026-03-01T11:30:00Z");
    assertThat(launches()).isZero();
    world.partitions("d", 1);
    settle();
    assertThat(launches()).isEqualTo(1);
    world.partitions("d", 1);
    settle();
    assertThat(launches()).isEqualTo(1);
    world.runUntil("2026-03-01T12:00:00Z");
    assertThat(launches()).isEqualTo(2);
    assertThat(world.arrivals.get(1).request().body()).contains("2026-03-01T12:00:00.000Z");
  }

  @Test
  void missedFiresOfATriggerThatAlsoTakesDataFollowInOrder() {
    world.put("either", active(or(cron("0 0 * * * ?"), partition("d", 1))));
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T13:30:00Z");
    world.runUntil("2026-03-01T13:32:00Z");
    assertThat(launches()).isEqualTo(3);
  }

  @Test
  void onlySchedulesOfTheEventsNamespaceCount() {
    world.put("p", active(partition("d", 1)));
    world.event(
        """
        {"namespace": "other", "eventType": "PARTITION",
         "payload": {"datasetId": "d", "numPartitions": 1}}
        """);
    settle();
    assertThat(launches()).isZero();
  }

  @Test
  void malformedEventsAreKeptWithTheReasonAndTheRestOfTheBatchCounts() {
    world.put("p", active(partition("d", 1)));
    world.event("not json");
    world.event("{\"eventType\": \"PARTITION\", \"payload\": {}}");
    world.partitions("d", 1);
    settle();
    assertThat(launches()).isEqualTo(1);
    assertThat(world.rejected.all()).hasSize(2);
  }

  @Test
  void aJobKeepsTheFirstAndLastTwentyEventsAndCountsTheOthers() {
    world.put("p", active(partition("d", 100)));
    for (int i = 1; i <= 100; i++) {
      world.event(
          """
          {"id": "e%d", "eventType": "PARTITION", "payload": {"datasetId": "d", "numPartitions": 1}}
          """
              .formatted(i));
    }
    settle();
    Job job = world.jobs.all().get(0);
    assertThat(job.triggerState().events()).hasSize(40);
    assertThat(job.triggerState().events().get(19).id()).isEqualTo("e20");
    assertThat(job.triggerState().events().get(20).id()).isEqualTo("e81");
    assertThat(job.triggerState().eventsOmitted()).isEqualTo(60);
  }

  @Test
  void anEventForAScheduleThatNowHasOnlyTimeLeavesMakesNoJobOfItsFires() {
    world.put("s", active(and(cron("0 * * * * ?"), partition("d", 2))));
    world.partitions("d", 1);
    settle();
    world.put("s", active(cron("30 * * * * ?")));
    world.runUntil("2026-03-01T10:01:00Z");
    world.event(
        """
        {"carillonResend":{"schedules":["default/s"],"event":{"id":"late","namespace":"default",\
        "timestamp":1,"eventType":"PARTITION","payload":{"datasetId":"d","numPartitions":1}}}}\
        """);
    world.runUntil("2026-03-01T10:02:00Z");
    assertThat(world.arrivals.stream().map(a -> a.request().job().isFire()))
        .containsExactly(true, true);
  }
}
