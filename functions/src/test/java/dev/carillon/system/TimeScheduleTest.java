package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeScheduleTest {

  private final World world = new World("2026-03-01T10:00:00Z");

  private List<String> launchedFor() {
    return world.arrivals.stream().map(arrival -> arrival.request().job().at().toString()).toList();
  }

  private void assertEachOnceAndPunctual() {
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
    assertThat(world.arrivals)
        .allSatisfy(arrival -> assertThat(arrival.at()).isEqualTo(arrival.request().job().at()));
  }

  @Test
  void everyFireIsLaunchedOnceAtItsSecond() {
    world.put("hourly", active(cron("0 0,30 * * * ?")));
    world.runUntil("2026-03-01T13:10:00Z");
    assertThat(launchedFor())
        .containsExactly(
            "2026-03-01T10:30:00Z",
            "2026-03-01T11:00:00Z",
            "2026-03-01T11:30:00Z",
            "2026-03-01T12:00:00Z",
            "2026-03-01T12:30:00Z",
            "2026-03-01T13:00:00Z");
    assertEachOnceAndPunctual();
  }

  /** Five minutes past each hour, as Bridge's scheduler ran. */
  @Test
  void aMasterThatRunsOnceAnHourLaunchesEachFireOfTheHourWithItsOwnInstant() {
    world.put("halfHourly", active(cron("0 0,30 * * * ?")));
    for (String tick : List.of("11:05:00", "12:05:00", "13:05:00")) {
      world.sleepUntil("2026-03-01T" + tick + "Z");
      world.runFor(Duration.ofSeconds(1));
    }
    assertThat(launchedFor())
        .containsExactly(
            "2026-03-01T10:30:00Z",
            "2026-03-01T11:00:00Z",
            "2026-03-01T11:30:00Z",
            "2026-03-01T12:00:00Z",
            "2026-03-01T12:30:00Z",
            "2026-03-01T13:00:00Z");
    assertThat(world.bodies().get(0)).contains("\"at\":\"2026-03-01T10:30:00.000Z\"");
    assertThat(world.requestsByJob().values()).containsOnly(1L);
  }

  /** The CRC-32 of "default/daily" modulo four hours is 10853 seconds. */
  @Test
  void flexibleFiresAreLaunchedAtTheOffsetOfTheSchedule() {
    ScheduleId id = world.put("daily", active(flexibleNoon()));
    world.runUntil("2026-03-03T10:00:00Z");
    assertThat(launchedFor()).containsExactly("2026-03-01T15:00:53Z", "2026-03-02T15:00:53Z");
    assertEachOnceAndPunctual();
    world.suspend(id);
    world.runUntil("2026-03-03T12:00:01Z");
    world.resume(id);
    world.runUntil("2026-03-03T18:00:00Z");
    assertThat(launchedFor()).hasSize(3).last().isEqualTo("2026-03-03T15:00:53Z");
  }

  @Test
  void aFlexibleFireWithinAnAndCountsAtTheOffsetOfTheSchedule() {
    world.put("daily", active(and(flexibleNoon(), partition("d", 1))));
    world.runUntil("2026-03-01T11:00:00Z");
    world.partitions("d", 1);
    world.runUntil("2026-03-01T18:00:00Z");
    assertThat(world.arrivals)
        .singleElement()
        .satisfies(arrival -> assertThat(arrival.at()).isEqualTo("2026-03-01T15:00:53Z"));
  }

  private static String flexibleNoon() {
    return "{\"type\": \"cron\", \"expression\": \"0 0 12 * * ?\", \"flexible\": \"PT4H\"}";
  }

  @Test
  void fireTwoSecondsAfterCreationIsOnTime() {
    world.runUntil("2026-03-01T10:00:30Z");
    world.put("soon", active(cron("32 0 10 * * ?")));
    world.runUntil("2026-03-01T10:01:00Z");
    assertThat(launchedFor()).containsExactly("2026-03-01T10:00:32Z");
    assertEachOnceAndPunctual();
  }

  @Test
  void secondsAreHonouredForHours() {
    world.put("seconds", active(cron("0/10 * * * * ?")));
    world.runFor(Duration.ofHours(1));
    assertThat(world.arrivals).hasSize(360);
    assertEachOnceAndPunctual();
  }

  @Test
  void neverFiresForTimeBeforeItsCreation() {
    world.runUntil("2026-03-01T10:00:00.500Z");
    world.put("late", active(cron("0 0 * * * ?")));
    world.runUntil("2026-03-01T10:59:00Z");
    assertThat(world.arrivals).isEmpty();
  }

  @Test
  void allMissedFiresAreLaunchedInOrderAfterAnOutage() {
    world.put("hourly", active(cron("0 0 * * * ?")));
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T13:30:00Z");
    world.runUntil("2026-03-01T13:31:00Z");
    assertThat(launchedFor())
        .containsExactly("2026-03-01T11:00:00Z", "2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z");
  }

  /** The fires of the last two minutes are not overdue, and overtake the others. */
  @Test
  void missedFiresOfAScheduleShareMessagesInOrder() {
    world.put("minutely", active(cron("0 * * * * ?")));
    world.runUntil("2026-03-01T10:00:30Z");
    world.sleepUntil("2026-03-01T13:30:30Z");
    world.runUntil("2026-03-01T13:30:30Z");
    assertThat(launchedFor()).hasSize(210).contains("2026-03-01T13:29:00Z", "2026-03-01T13:30:00Z");
    assertThat(launchedFor().stream().filter(at -> at.compareTo("2026-03-01T13:29") < 0))
        .hasSize(208)
        .isSorted();
  }

  @Test
  void moreMissedFiresThanOnePageAreAllLaunched() {
    world.put("seconds", active(cron("* * * * * ?")));
    world.runUntil("2026-03-01T10:00:30Z");
    world.sleepUntil("2026-03-01T12:00:30Z");
    world.runUntil("2026-03-01T12:01:00Z");
    assertThat(world.requestsByJob()).hasSize(2 * 3600 + 60);
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
  }

  @Test
  void aClockThatIsSetBackLaunchesNothingTwice() {
    world.put("hourly", active(cron("0 0 * * * ?")));
    world.runUntil("2026-03-01T12:30:00Z");
    world.setClock("2026-03-01T10:30:00Z");
    world.runUntil("2026-03-01T13:30:00Z");
    assertThat(launchedFor())
        .containsExactly("2026-03-01T11:00:00Z", "2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z");
  }

  @Test
  void deletedHalfASecondBeforeItsFireNeverLaunches() {
    ScheduleId id = world.put("once", active(cron("0 5 10 * * ?")));
    world.runUntil("2026-03-01T10:04:59.500Z");
    world.delete(id);
    world.runUntil("2026-03-02T11:00:00Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(world.timers.all()).isEmpty();
  }

  @Test
  void generationsNeverRepeatAfterDeletion() {
    ScheduleId id = world.put("again", active(cron("0 5 10 * * ?")));
    world.delete(id);
    world.put("again", active(cron("0 5 10 * * ?")));
    world.runUntil("2026-03-01T10:06:00Z");
    assertThat(world.requestsByJob().keySet())
        .containsExactly(JobId.ofFire(id, 2, Instant.parse("2026-03-01T10:05:00Z")));
  }

  @Test
  void changedDefinitionLaunchesOnlyTheNewFires() {
    world.put("changed", active(cron("0 10 * * * ?")));
    world.runUntil("2026-03-01T10:09:59Z");
    world.put("changed", active(cron("0 20 * * * ?")));
    world.runUntil("2026-03-01T11:30:00Z");
    assertThat(launchedFor()).containsExactly("2026-03-01T10:20:00Z", "2026-03-01T11:20:00Z");
    assertThat(world.timers.all()).hasSize(1);
  }

  @Test
  void suspendedIntervalIsNeverMadeUpFor() {
    ScheduleId id = world.put("paused", active(cron("0 0/10 * * * ?")));
    world.runUntil("2026-03-01T10:15:00Z");
    world.suspend(id);
    world.runUntil("2026-03-01T10:35:00Z");
    world.resume(id);
    world.runUntil("2026-03-01T10:55:00Z");
    assertThat(launchedFor())
        .containsExactly("2026-03-01T10:10:00Z", "2026-03-01T10:40:00Z", "2026-03-01T10:50:00Z");
    assertThat(world.timers.all()).hasSize(1);
  }

  @Test
  void suspensionThatEndsWithinTheLookAheadLosesNoLaterFire() {
    ScheduleId id = world.put("blink", active(cron("0 * * * * ?")));
    world.runUntil("2026-03-01T10:03:30Z");
    world.suspend(id);
    world.runUntil("2026-03-01T10:04:30Z");
    world.resume(id);
    world.runUntil("2026-03-01T10:30:30Z");
    assertThat(world.requestsByJob()).hasSize(29);
    assertThat(launchedFor()).doesNotContain("2026-03-01T10:04:00Z");
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
  }

  @Test
  void severalTimersOfOneLeafMergeAgain() {
    ScheduleId id = world.put("twin", active(cron("0/20 * * * * ?")));
    world.runUntil("2026-03-01T10:05:10Z");
    var timer = world.timers.all().get(0);
    world.timers.put(List.of(timer.movedTo(Instant.parse("2026-03-01T10:05:20Z"))));
    world.runUntil("2026-03-01T10:35:00Z");
    assertThat(world.timers.all()).hasSize(1);
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
    assertThat(id).isEqualTo(timer.id());
  }

  @Test
  void twoLeavesAtOneInstantAreOneJob() {
    world.put("either", active(or(cron("0 15 * * * ?"), cron("0 0/15 * * * ?"))));
    world.runUntil("2026-03-01T10:31:00Z");
    assertThat(launchedFor()).containsExactly("2026-03-01T10:15:00Z", "2026-03-01T10:30:00Z");
  }

  @Test
  void oneTimeScheduleIsCompletedOrDeletedAfterItsLaunch() {
    ScheduleId kept = world.put("kept", active(at("2026-03-01T10:05:00Z")));
    ScheduleId deleted =
        world.put("deleted", active(at("2026-03-01T10:05:00Z"), "\"afterCompletion\": \"delete\""));
    world.runUntil("2026-03-01T10:06:00Z");
    assertThat(world.arrivals).hasSize(2);
    assertThat(world.schedules.find(kept).orElseThrow().head().state())
        .isEqualTo(ScheduleState.COMPLETED);
    assertThat(world.schedules.find(deleted)).isEmpty();
  }

  /** The history can have any size. */
  @Test
  void aScheduleReadsItsHistoryOnceBeforeItDeletesItself() {
    ScheduleId id =
        world.put("once", active(at("2026-03-01T10:05:00Z"), "\"afterCompletion\": \"delete\""));
    world.runUntil("2026-03-01T10:06:00Z");
    assertThat(world.schedules.find(id)).isEmpty();
    assertThat(world.faults.calls()).containsOnlyOnce("Jobs.ofSchedule");
  }

  @Test
  void aScheduleIsDeletedAfterCompletionOnlyWhenItsLastJobsHaveEnded() {
    world.targets.lose("arn:aws:sqs:us-east-1:000000000000:work");
    ScheduleId id =
        world.put(
            "several",
            active(
                or(at("2026-03-01T10:01:00Z"), at("2026-03-01T10:01:01Z")),
                "\"afterCompletion\": \"delete\""));
    world.runUntil("2026-03-01T10:02:00Z");
    assertThat(world.schedules.find(id)).isPresent();
    world.targets.accept("arn:aws:sqs:us-east-1:000000000000:work");
    world.runUntil("2026-03-01T10:12:00Z");
    assertThat(world.arrivals).hasSize(2);
    assertThat(world.schedules.find(id)).isEmpty();
  }

  @Test
  void aRefusedRequestIsSentWhenItsQueueIsBackAndDelaysNoOther() {
    world.targets.lose("arn:aws:sqs:us-east-1:000000000000:work");
    ScheduleId id = world.put("refused", active(at("2026-03-01T10:01:00Z")));
    world.put("other", active(at("2026-03-01T10:01:00Z")).replace("\"work\"", "\"elsewhere\""));
    world.runUntil("2026-03-01T10:20:00Z");
    assertThat(world.arrivals).hasSize(1);
    Job waiting = world.job(JobId.ofFire(id, 1, Instant.parse("2026-03-01T10:01:00Z")));
    assertThat(waiting.state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    assertThat(waiting.transitions()).hasSizeLessThanOrEqualTo(30);
    world.targets.accept("arn:aws:sqs:us-east-1:000000000000:work");
    world.runUntil("2026-03-01T10:26:00Z");
    assertThat(world.arrivals).hasSize(2);
    assertThat(world.arrivals.get(1).request().attempt()).isEqualTo(1);
    assertThat(world.job(waiting.id()).state()).isEqualTo(JobState.LAUNCHED);
  }

  @Test
  void refusedJobOfADeletedScheduleIsCancelledWithTheReason() {
    world.targets.lose("arn:aws:sqs:us-east-1:000000000000:work");
    ScheduleId id = world.put("refused", active(cron("0 1 10 * * ?")));
    world.runUntil("2026-03-01T10:02:00Z");
    world.delete(id);
    world.targets.accept("arn:aws:sqs:us-east-1:000000000000:work");
    world.runUntil("2026-03-01T10:10:00Z");
    Job job = world.job(JobId.ofFire(id, 1, Instant.parse("2026-03-01T10:01:00Z")));
    assertThat(job.state()).isEqualTo(JobState.CANCELLED);
    assertThat(job.transitions().get(job.transitions().size() - 1).reasonText())
        .contains("deleted");
    assertThat(world.arrivals).isEmpty();
  }

  @Test
  void missingTimersAreRestoredByTheDailyAudit() {
    world.put("daily", active(cron("0 0 9 * * ?")));
    world.put("frequent", active(cron("0 * * * * ?")));
    world.runUntil("2026-03-01T10:10:00Z");
    world.timers.delete(world.timers.all());
    world.runUntil("2026-03-02T10:20:00Z");
    assertThat(world.timers.all()).hasSize(2);
    world.runUntil("2026-03-03T09:01:00Z");
    assertThat(launchedFor()).contains("2026-03-03T09:00:00Z");
  }

  @Test
  void theAuditLeavesExistingTimersUnchanged() {
    world.put("daily", active(cron("0 0 9 * * ?")));
    world.put("frequent", active(cron("0 * * * * ?")));
    world.runUntil("2026-03-03T10:30:00Z");
    assertThat(world.timers.all()).hasSize(2);
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
  }

  /**
   * Three minutes of fires each second. The check of one fails until the last fifty are launched.
   */
  @Test
  void aScheduleIsDeletedOnlyAfterAllItsFiresAreLaunched() {
    ScheduleId id =
        world.put("ends", active(cron("* 1-3 10 1 3 ? 2026"), "\"afterCompletion\": \"delete\""));
    world.failChecksOf(JobId.ofFire(id, 1, Instant.parse("2026-03-01T10:02:05Z")));
    world.runUntil("2026-03-01T10:04:02Z");
    world.failChecksOf(null);
    world.runUntil("2026-03-01T10:20:00Z");
    assertThat(world.requestsByJob()).hasSize(180);
    assertThat(world.schedules.heads(List.of(id)).get(id).isDeleted()).isTrue();
  }

  @Test
  void aScheduleResumedAfterItsLastFireIsDeletedAlthoughTheRequestCrashed() {
    ScheduleId id =
        world.put("once", active(at("2026-03-01T10:05:00Z"), "\"afterCompletion\": \"delete\""));
    world.keep(id, SuspendMode.DRAIN, null);
    world.runUntil("2026-03-01T10:10:00Z");
    world.resumeAndDie(id);
    world.runUntil("2026-03-01T10:12:00Z");
    assertThat(world.schedules.find(id)).isEmpty();
    assertThat(world.timers.all()).isEmpty();
  }

  /** The pause has more than two billion fires: no check could take a step for each of them. */
  @Test
  void aScheduleThatPausedForDecadesIsDeletedAfterItsLastFire() {
    ScheduleId id =
        world.put("ends", active(cron("* * * * * ? 2026-2099"), "\"afterCompletion\": \"delete\""));
    world.runUntil("2026-03-01T10:00:10Z");
    world.keep(id, SuspendMode.DRAIN, null);
    world.runUntil("2026-03-01T10:20:00Z");
    world.sleepUntil("2099-12-31T23:59:50Z");
    world.resume(id);
    world.runUntil("2100-01-01T00:01:00Z");
    assertThat(world.requestsByJob()).hasSize(10 + 9);
    assertThat(world.schedules.find(id)).isEmpty();
  }
}
