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
import dev.carillon.job.TriggerState;
import dev.carillon.trigger.LeafCount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How fires and events are handled while a job of their schedule waits. */
class WhilePendingTest {

  private static final String WINDOW =
      "{\"type\": \"timeWindow\", \"from\": \"10:03\", \"to\": \"10:59\"}";
  private static final String ONE = "{\"type\": \"concurrency\", \"max\": 1}";
  private static final String WORK = "arn:aws:sqs:us-east-1:000000000000:work";
  private static final String MINUTELY = "0 * * * * ?";

  private final World world = new World("2026-03-01T09:59:30Z");

  private static String pending(String policy, String... constraints) {
    return "\"whilePending\": \"%s\", \"program\": \"p\", \"constraints\": [%s]"
        .formatted(policy, String.join(", ", constraints));
  }

  private void until(String time) {
    world.runUntil("2026-03-01T" + time + "Z");
  }

  private List<String> launchedAt() {
    return world.arrivals.stream().map(arrival -> arrival.at().toString().substring(11)).toList();
  }

  private List<Job> jobs(ScheduleId id, JobState state) {
    return world.jobs.ofSchedule(id, state == null ? null : Set.of(state), 100, null).items();
  }

  private Job launched(int number) {
    return world.job(world.arrivals.get(number).request().job());
  }

  private static JobId fire(ScheduleId id, String time) {
    return JobId.ofFire(id, 1, Instant.parse("2026-03-01T" + time + "Z"));
  }

  // ---- fires

  @Test
  void firesAreMergedIntoTheWaitingJob() {
    ScheduleId id = world.put("m", active(cron(MINUTELY), pending("merge", WINDOW)));
    until("10:04:30");
    assertThat(launchedAt()).containsExactly("10:03:00Z", "10:04:00Z");
    Job merged = launched(0);
    assertThat(merged.id()).isEqualTo(fire(id, "10:00:00"));
    assertThat(merged.scheduledFor()).isEqualTo("2026-03-01T10:00:00Z");
    LeafCount leaf = merged.triggerState().leaves().get(0);
    assertThat(leaf.actual()).isEqualTo(4);
    assertThat(leaf.fire()).isEqualTo("2026-03-01T10:03:00Z");
    assertThat(jobs(id, JobState.SKIPPED))
        .extracting(Job::lastReason)
        .containsOnly("merged into job " + merged.id() + ", which still waits")
        .hasSize(3);
    assertThat(launched(1).triggerState()).isNull();
  }

  @Test
  void firesAreSkippedForTheWaitingJob() {
    ScheduleId id = world.put("s", active(cron(MINUTELY), pending("skip", WINDOW)));
    until("10:04:30");
    assertThat(launchedAt()).containsExactly("10:03:00Z", "10:04:00Z");
    assertThat(launched(0).triggerState()).isNull();
    assertThat(jobs(id, JobState.SKIPPED))
        .extracting(Job::lastReason)
        .containsOnly("job " + fire(id, "10:00:00") + " of the schedule still waits")
        .hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void withoutAConstraintEachFireIsAJob(String policy) {
    world.put("p", active(cron(MINUTELY), pending(policy)));
    until("10:10:30");
    assertThat(world.arrivals).hasSize(11);
    assertThat(world.jobs.earliestAttention()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void aRepeatedFireIsTakenOnce(String policy) {
    ScheduleId id = world.put("p", active(cron(MINUTELY), pending(policy, WINDOW)));
    until("10:01:30");
    for (int i = 0; i < 5; i++) {
      world.check(fire(id, "10:01:00"));
      world.check(fire(id, "10:00:00"));
    }
    until("10:03:30");
    world.check(fire(id, "10:02:00"));
    world.check(fire(id, "10:00:00"));
    until("10:03:59");
    assertThat(launchedAt()).containsExactly("10:03:00Z");
    assertThat(jobs(id, JobState.SKIPPED)).hasSize(3);
    if (policy.equals("merge")) {
      assertThat(launched(0).triggerState().leaves().get(0).actual()).isEqualTo(4);
    }
  }

  @Test
  void firesAtAGateAreMergedUntilTheSlotIsFree() {
    ScheduleId id = world.put("m", active(cron(MINUTELY), pending("merge", ONE)));
    until("10:05:30");
    assertThat(launchedAt()).containsExactly("10:00:00Z");
    world.event("end", ended(launched(0).id()));
    until("10:05:40");
    assertThat(launchedAt()).containsExactly("10:00:00Z", "10:05:30Z");
    assertThat(launched(1).id()).isEqualTo(fire(id, "10:01:00"));
    assertThat(launched(1).triggerState().leaves().get(0).actual()).isEqualTo(5);
    assertThat(world.gates.allWaiters()).isEmpty();
  }

  private String ended(JobId job) {
    return "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\", \"runId\": \"%s\"}}"
        .formatted(job);
  }

  @Test
  void aOneTimeScheduleIsCompletedAndDeletedAsUsual() {
    String once = active(at("2026-03-01T10:01:00Z"), pending("skip", WINDOW));
    ScheduleId id =
        world.put(
            "o", once.replaceFirst("\"state\"", "\"afterCompletion\": \"delete\", \"state\""));
    until("10:10:00");
    assertThat(launchedAt()).containsExactly("10:03:00Z");
    assertThat(world.schedules.find(id)).isEmpty();
  }

  @Test
  void aJobFromBeforeASuspensionTakesNoFires() {
    ScheduleId id = world.put("m", active(cron(MINUTELY), pending("merge", WINDOW)));
    until("10:01:10");
    world.suspend(id);
    world.resume(id);
    until("10:03:30");
    assertThat(launchedAt()).containsExactly("10:03:00Z");
    assertThat(launched(0).id()).isEqualTo(fire(id, "10:02:00"));
  }

  @Test
  void aManualLaunchNeitherWaitsForOtherJobsNorTakesFires() {
    ScheduleId id = world.put("s", active(cron("0 2/5 * * * ?"), pending("skip", WINDOW)));
    until("10:00:00");
    world.launchNow(id);
    until("10:03:30");
    assertThat(launchedAt()).containsExactly("10:03:00Z", "10:03:00Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void aJobWhoseRequestMayHaveBeenSentIsNotChanged(String policy) {
    ScheduleId id = world.put("r", active(cron(MINUTELY), pending(policy)));
    world.targets.refuse(WORK, "SQS has not answered");
    until("10:01:30");
    world.targets.accept(WORK);
    until("10:05:30");
    assertThat(world.requestsByJob()).containsKey(fire(id, "10:00:00"));
    assertThat(launched(0).triggerState()).isNull();
    assertThat(jobs(id, JobState.SKIPPED)).hasSize(policy.equals("skip") ? 2 : 0);
  }

  // ---- events

  private void data(int count) {
    world.partitions("d", count);
    world.runFor(Duration.ofSeconds(5));
  }

  @Test
  void eventsAreMergedIntoTheWaitingJob() {
    ScheduleId id = world.put("m", active(partition("d", 2), pending("merge", WINDOW)));
    data(2);
    data(3);
    data(1);
    until("10:04:00");
    assertThat(launchedAt()).containsExactly("10:03:00Z");
    TriggerState triggerState = launched(0).triggerState();
    assertThat(triggerState.leaves().get(0).actual()).isEqualTo(6);
    assertThat(triggerState.events()).hasSize(3);
    assertThat(launched(0).scheduledFor()).isEqualTo("2026-03-01T09:59:30Z");
    data(1);
    until("10:10:00");
    assertThat(world.arrivals).hasSize(1);
    assertThat(jobs(id, null)).hasSize(1);
  }

  @Test
  void eventsAreSkippedForTheWaitingJob() {
    ScheduleId id = world.put("s", active(partition("d", 2), pending("skip", WINDOW)));
    data(2);
    data(3);
    data(1);
    until("10:04:00");
    assertThat(launchedAt()).containsExactly("10:03:00Z");
    assertThat(launched(0).triggerState().leaves().get(0).actual()).isEqualTo(2);
    List<Job> skipped = jobs(id, JobState.SKIPPED);
    assertThat(skipped)
        .extracting(Job::lastReason)
        .containsOnly("job " + launched(0).id() + " of the schedule still waits");
    assertThat(skipped)
        .extracting(job -> job.triggerState().leaves().get(0).actual())
        .containsExactlyInAnyOrder(3L, 1L);
    data(2);
    assertThat(world.arrivals).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void redeliveredEventCountsOnce(String policy) {
    ScheduleId id = world.put("p", active(partition("d", 1), pending(policy, WINDOW)));
    String event =
        "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"d\", \"numPartitions\": 1}}";
    data(1);
    for (int i = 0; i < 4; i++) {
      world.event("same", event);
      world.runFor(Duration.ofSeconds(3));
    }
    until("10:05:00");
    world.event("same", event);
    until("10:06:00");
    assertThat(world.arrivals).hasSize(1);
    long merged = launched(0).triggerState().leaves().get(0).actual() - 1;
    assertThat(merged + jobs(id, JobState.SKIPPED).size()).isEqualTo(1);
  }

  @Test
  void firesAmongEventsAreMergedToo() {
    world.put("m", active(or(cron("30 * * * * ?"), partition("d", 1)), pending("merge", WINDOW)));
    until("10:01:20");
    data(4);
    until("10:03:20");
    assertThat(launchedAt()).containsExactly("10:03:00Z");
    TriggerState triggerState = launched(0).triggerState();
    assertThat(triggerState.leaves().get(0).actual()).isEqualTo(3);
    assertThat(triggerState.leaves().get(1).actual()).isEqualTo(4);
  }

  @Test
  void anElapsingPeriodRestartsAfterItWasMerged() {
    String elapsed = "{\"type\": \"elapsed\", \"since\": \"lastLaunch\", \"duration\": \"PT1M\"}";
    world.put("m", active(or(elapsed, partition("d", 1)), pending("merge", WINDOW)));
    until("10:03:10");
    assertThat(launchedAt()).containsExactly("10:03:00Z");
    assertThat(launched(0).triggerState().leaves().get(0).actual()).isEqualTo(3);
    until("10:05:00");
    assertThat(world.arrivals).hasSize(3);
  }

  @Test
  void aCollectingJobContinues() {
    world.put("s", active(and(cron("0 * * * * ?"), partition("d", 2)), pending("skip", WINDOW)));
    data(1);
    until("10:03:30");
    data(1);
    assertThat(launchedAt()).containsExactly("10:03:30Z");
  }

  @Test
  void aMergeDoesNotDelayTheWaitingJob() {
    world.put("m", active(partition("d", 1), pending("merge", ONE)));
    data(1);
    data(1);
    data(1);
    world.event("end", ended(launched(0).id()));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(2));
    assertThat(world.arrivals).hasSize(2);
    assertThat(launched(1).triggerState().leaves().get(0).actual()).isIn(2L, 3L);
  }
}
