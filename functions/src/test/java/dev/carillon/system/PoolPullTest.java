package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.checker.PoolPulls.Pull;
import dev.carillon.checker.PoolPulls.Pulled;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.Transition;
import dev.carillon.run.Report;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workers that pull jobs from a pool. */
class PoolPullTest {

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);
  private int requests;

  private List<Pulled> pull(int count) {
    return pull(count, "request-" + ++requests);
  }

  private List<Pulled> pull(int count, String request) {
    Pull pull = new Pull(Pooled.ENCODE, count, "w", request, true);
    return world.pulls().next(pull, new Deadline(Instant.MAX, world::now)).orElseThrow();
  }

  private static List<String> customers(List<Pulled> pulled) {
    return pulled.stream().map(one -> one.job().id().schedule().name()).toList();
  }

  private void report(Pulled pulled) {
    String token = pulled.job().claim().token();
    world.reports().report(pulled.job().id(), new Report.Success(token, null)).orElseThrow();
  }

  @Test
  void aWorkerGetsTheNextJobsClaimed() {
    pooled.pool("{}");
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 3);
    pooled.arrive("b", 1);
    List<Pulled> first = pull(3);
    assertThat(customers(first)).containsExactly("a", "b", "a");
    for (Pulled one : first) {
      Job job = world.job(one.job().id());
      assertThat(job.state()).isEqualTo(JobState.CLAIMED);
      assertThat(one.request().body()).contains(job.id().schedule().name());
      report(one);
      assertThat(world.job(job.id()).state()).isEqualTo(JobState.SUCCEEDED);
    }
    assertThat(customers(pull(3))).containsExactly("a");
    assertThat(pull(3)).isEmpty();
    world.runFor(Duration.ofMinutes(5));
    assertThat(pooled.moved()).isEmpty();
  }

  @Test
  void aRepeatedRequestGetsTheSameJobs() {
    pooled.pool("{}");
    pooled.schedule("a", "");
    pooled.arrive("a", 4);
    List<Pulled> first = pull(2, "one");
    assertThat(pull(2, "one")).isEqualTo(first).hasSize(2);
    assertThat(pull(2, "two")).hasSize(2).doesNotContainAnyElementsOf(first);
    report(first.get(0));
    assertThat(pull(2, "one")).containsExactly(first.get(1));
    assertThat(pull(2, "three")).isEmpty();
  }

  @Test
  void aValueThatIsMissingIsNotedBeforeTheClaim() {
    pooled.pool("{}");
    world.put(
        "a",
        """
        {"trigger": {"type": "partition", "dataset": "a", "count": 1}, "state": "ACTIVE",
         "pool": "encode", "target": {"template": {"x": "${payload.missing}"}}}
        """);
    pooled.arrive("a", 1);
    Job pulled = pull(1, "one").get(0).job();
    List<Transition> all = world.job(pulled.id()).transitions();
    assertThat(all.get(all.size() - 1).state()).isEqualTo(JobState.CLAIMED);
    Transition noted = all.get(all.size() - 2);
    assertThat(noted.state()).isEqualTo(JobState.READY);
    assertThat(noted.reason().code()).isEqualTo(ReasonCode.TEMPLATE_INCOMPLETE);
    assertThat(noted.reason().text()).contains("payload.missing");
  }

  /** Lambda refuses an answer of more than 6 MB, so its jobs would never reach their worker. */
  @Test
  void largeRequestsArePulledInSeveralAnswers() {
    pooled.pool("{}");
    world.put(
        "a",
        """
        {"trigger": {"type": "partition", "dataset": "a", "count": 1}, "state": "ACTIVE",
         "pool": "encode", "properties": {"large": "%s%s"}, "target": {"template": "%s"}}
        """
            .formatted(
                "x".repeat(20_000), "\\\"".repeat(10_000), "${properties.large}".repeat(20)));
    pooled.arrive("a", 7);
    List<Pulled> first = pull(7, "one");
    assertThat(first).hasSize(3);
    assertThat(pull(7, "one")).isEqualTo(first);
    world.runFor(Duration.ofSeconds(3));
    List<Pulled> second = pull(7, "two");
    assertThat(second).hasSize(3).doesNotContainAnyElementsOf(first);
    world.runFor(Duration.ofSeconds(3));
    assertThat(pull(7, "three")).hasSize(1);
  }

  /** Its worker began what the first answer had. */
  @Test
  void aRepeatedRequestGetsNoJobByADefinitionThatReplacedItsOwn() {
    pooled.pool("{}");
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    assertThat(pull(1, "one")).hasSize(1);
    world.put(
        "a",
        """
        {"trigger": {"type": "partition", "dataset": "b", "count": 1}, "state": "ACTIVE",
         "customer": "a", "pool": "encode", "target": {"template": {"of": "another"}}}
        """);
    assertThat(pull(1, "one")).isEmpty();
  }

  /** Such a request would pass over the others, and over limits. */
  @Test
  void aRepeatedRequestDoesNotGetALaterAttempt() {
    pooled.pool("{\"maxInFlight\": {\"default\": 1}}");
    pooled.schedule("a", ", \"retry\": {\"backoff\": \"PT1S\"}");
    pooled.arrive("a", 2);
    Pulled first = pull(1, "one").get(0);
    String token = first.job().claim().token();
    world.reports().report(first.job().id(), new Report.Failure(token, null, true)).orElseThrow();
    world.runFor(Duration.ofSeconds(5));
    assertThat(world.job(first.job().id()).state()).isEqualTo(JobState.READY);
    assertThat(pull(1, "one")).isEmpty();
    assertThat(pull(2, "two")).hasSize(1);
    assertThat(pull(1, "one")).isEmpty();
    assertThat(pooled.in(JobState.CLAIMED)).hasSize(1);
  }

  /** The first request has chosen the job, and failed before its claim. */
  @Test
  void aRepeatedRequestTakesNoJobFromAPausedPool() {
    pooled.pool("{}");
    pooled.schedule("a", "");
    pooled.arrive("a", 2);
    List<Pulled> held = pull(1, "held");
    world.faults.failAll("CheckQueue.send");
    assertThatThrownBy(() -> pull(1, "one")).isInstanceOf(RuntimeException.class);
    world.faults.heal();
    pooled.pool("{\"paused\": true}");
    assertThat(pull(1, "one")).isEmpty();
    assertThat(pull(1, "held")).isEqualTo(held);
    pooled.pool("{}");
    assertThat(pull(1, "one")).hasSize(1);
  }

  @Test
  void whatADeadWorkerPulledIsAttemptedAgain() {
    pooled.pool("{}");
    pooled.schedule("a", ", \"retry\": {\"backoff\": \"PT1S\"}");
    pooled.arrive("a", 1);
    assertThat(pull(1)).hasSize(1);
    world.runFor(Duration.ofMinutes(2));
    List<Pulled> again = pull(1);
    assertThat(again).hasSize(1);
    assertThat(again.get(0).job().attempt()).isEqualTo(2);
  }

  @Test
  void aClaimThatIsStoredAfterItsTimeOutIsStillCheckedWhenItsWorkerIsDead() {
    pooled.pool("{}");
    pooled.schedule(
        "a", ", \"tracking\": {\"claimTimeout\": \"PT2S\"}, \"retry\": {\"backoff\": \"PT1S\"}");
    pooled.arrive("a", 1);
    world.faults.afterNext(
        "CheckQueue.send",
        () -> {
          world.runFor(Duration.ofSeconds(5));
        });
    assertThat(pull(1)).hasSize(1);
    world.runFor(Duration.ofMinutes(2));

    assertThat(pull(1).get(0).job().attempt()).isEqualTo(2);
  }

  @Test
  void aPoolWithAQueueIsPulledAsWell() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1}");
    pooled.schedule("a", "");
    pooled.arrive("a", 4);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.moved()).hasSize(1);
    assertThat(pull(2)).hasSize(2);
    world.runFor(Duration.ofSeconds(10));
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    pooled.claim();
    assertThat(pooled.moved()).hasSize(1);
  }

  @Test
  void limitsHoldForPulledJobs() {
    pooled.pool("{\"maxInFlight\": {\"a\": 2}}");
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 4);
    pooled.arrive("b", 1);
    List<Pulled> first = pull(5);
    assertThat(customers(first)).containsExactlyInAnyOrder("a", "a", "b");
    assertThat(pull(5)).isEmpty();
    report(first.get(0));
    world.runFor(Duration.ofSeconds(2));
    assertThat(customers(pull(5))).containsExactly("a");
  }

  @Test
  void nothingIsPulledFromAPausedPoolOrOfSuspendedAndDeletedSchedules() {
    pooled.pool("{\"paused\": true, \"reason\": \"maintenance\"}");
    ScheduleId a = pooled.schedule("a", "");
    ScheduleId b = pooled.schedule("b", "");
    pooled.schedule("c", "");
    List.of("a", "b", "c").forEach(customer -> pooled.arrive(customer, 1));
    assertThat(pull(5)).isEmpty();
    pooled.pool("{}");
    world.keep(a, SuspendMode.BACKLOG, null);
    world.delete(b);
    List<Pulled> pulled = pull(5);
    assertThat(customers(pulled)).containsExactly("c");
    report(pulled.get(0));
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.in(JobState.CANCELLED)).hasSize(1);
    world.resume(a);
    world.runFor(Duration.ofMinutes(2));
    assertThat(customers(pull(5))).containsExactly("a");
  }

  /** Nothing in the job shows the deletion, so no condition of a claim does. */
  @Test
  void aSlowRequestClaimsNoJobWhoseScheduleWasDeletedMeanwhile() {
    pooled.pool("{}");
    ScheduleId a = pooled.schedule("a", "");
    pooled.schedule("b", "");
    pooled.arrive("a", 1);
    pooled.arrive("b", 1);
    world.faults.afterNext(
        "CheckQueue.send",
        () -> {
          world.pause(Duration.ofSeconds(2));
          world.delete(a);
        });
    assertThat(customers(pull(2))).containsExactly("b");
    world.runFor(Duration.ofSeconds(20));
    assertThat(pull(2)).isEmpty();
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.in(JobState.CANCELLED)).hasSize(1);
  }

  @Test
  void aRequestThatStaysSlowClaimsNothingAndTheNextOneDoes() {
    pooled.pool("{}");
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.faults.around(() -> {}, () -> world.pause(Duration.ofSeconds(2)));
    assertThat(pull(1)).isEmpty();
    world.faults.around(() -> {}, () -> {});
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    world.runFor(Duration.ofSeconds(20));
    assertThat(pull(1)).hasSize(1);
  }

  @Test
  void aPoolThatDoesNotExistHasNoJobs() {
    Pull pull = new Pull(new PoolId("default", "none"), 1, "w", "r", true);
    assertThat(world.pulls().next(pull, new Deadline(Instant.MAX, world::now))).isEmpty();
  }

  @Test
  void aJobWhoseRequestCannotBeRenderedFails() {
    arriveWithoutBody();
    assertThat(pull(1)).isEmpty();
    world.runFor(Duration.ofSeconds(3));
    assertThat(pooled.only("a").state()).isEqualTo(JobState.FAILED);
  }

  /** A job whose request has no body, because it has no customer. */
  private void arriveWithoutBody() {
    pooled.pool("{}");
    world.put(
        "a",
        """
        {"trigger": {"type": "partition", "dataset": "a", "count": 1}, "state": "ACTIVE",
         "pool": "encode", "target": {"template": "${customer}"}}
        """);
    pooled.arrive("a", 1);
  }

  /** The function that pulls fails before it has sent the check that ends the job. */
  @Test
  void aJobWhoseRequestCannotBeRenderedFailsAlthoughItsCheckWasNotSent() {
    arriveWithoutBody();
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    world.faults.failAll("CheckQueue.send");
    assertThatThrownBy(() -> pull(1)).isInstanceOf(RuntimeException.class);
    assertThat(pooled.in(JobState.PENDING_LAUNCH)).hasSize(1);
    world.faults.heal();
    world.runFor(Duration.ofMinutes(5));
    assertThat(pooled.only("a").state()).isEqualTo(JobState.FAILED);
  }
}
