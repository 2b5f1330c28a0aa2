package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.run.Claim;
import dev.carillon.run.RunPolicy;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The attempts that a job's history shows. */
class RunAttemptTest {

  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final Reason BOOM = Reason.of(ReasonCode.FAILURE_REPORTED, "w1", "boom");

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }

  private static Job fire() {
    ScheduleId report = new ScheduleId("default", "report");
    return NewJob.dueFire(JobId.ofFire(report, 1, NOON), 1, "exporter").tracked(RunPolicy.USUAL);
  }

  private static Job sent(Job job, int second) {
    return job.launching(at(second), at(second + 15)).enqueued(at(second), null, at(second + 900));
  }

  private static Job claimed(Job job, String worker, int second) {
    Claim claim = new Claim(worker, "t", at(second), null);
    return TrackedJob.claimed(job, claim, at(second), at(second + 60));
  }

  private static Job failed(Job job, int second) {
    return job.retried(job.run().failed(null, "boom"), at(second), at(second), BOOM);
  }

  @Test
  void aJobThatWasNotSentHasNone() {
    assertThat(RunAttempt.of(fire())).isEmpty();
    assertThat(RunAttempt.of(fire().launching(at(0), at(15)).refused(at(1), BOOM))).isEmpty();
  }

  /** The check of a time-out finds the end of an attempt. No check finds that of a waiting job. */
  @Test
  void theIndexHasTheEndsOfJobsForWhichNoReportWasAwaited() {
    Job retrying = failed(claimed(sent(fire(), 0), "w1", 1), 4);
    Job leased = retrying.launching(at(5), at(20));
    for (Job waiting : List.of(retrying, leased)) {
      assertThat(waiting.ended(JobState.CANCELLED, at(30), BOOM).waitsFor())
          .isEqualTo(new Wait.Conclusion(null, at(50)));
    }
    Job sent = sent(retrying, 5);
    for (Job awaited : List.of(sent, claimed(sent, "w2", 6))) {
      assertThat(awaited.ended(JobState.CANCELLED, at(30), BOOM).waitsFor())
          .isEqualTo(new Wait.Conclusion(null, null));
    }
  }

  @Test
  void eachHasItsWorkerAndItsEnd() {
    Job first = claimed(sent(fire(), 0), "w1", 1);
    Job started = TrackedJob.goesOn(first, first.run(), at(2), at(62));
    Job running = TrackedJob.goesOn(started, first.run(), at(3), at(63));
    Job second = claimed(sent(failed(running, 4), 10), "w2", 11);
    assertThat(RunAttempt.of(second))
        .containsExactly(
            new RunAttempt(1, "w1", at(1), at(2), at(4), BOOM),
            new RunAttempt(2, "w2", at(11), null, null, null));
  }

  @Test
  void anAttemptThatNoWorkerClaimedIsOne() {
    Reason missing = Reason.of(ReasonCode.CLAIM_MISSING, "PT15M");
    Job sent = sent(fire(), 0);
    Job again = sent.retried(sent.run(), at(900), at(900), missing);
    assertThat(RunAttempt.of(again))
        .containsExactly(new RunAttempt(1, null, null, null, at(900), missing));
  }

  @Test
  void anAttemptWhoseFirstReportIsTheLastBeginsWithIt() {
    Job first = failed(claimed(sent(fire(), 0), "w1", 1), 4);
    Job second = claimed(sent(first, 10), "w2", 11);
    Reason success = Reason.of(ReasonCode.SUCCESS_REPORTED, "w2");
    assertThat(RunAttempt.of(second.ended(JobState.SUCCEEDED, at(20), success)))
        .containsExactly(
            new RunAttempt(1, "w1", at(1), at(4), at(4), BOOM),
            new RunAttempt(2, "w2", at(11), at(20), at(20), success));
    Reason silent = Reason.of(ReasonCode.START_MISSING, "w2", "PT1M");
    assertThat(RunAttempt.of(second.ended(JobState.FAILED, at(71), silent)))
        .as("no report came")
        .endsWith(new RunAttempt(2, "w2", at(11), null, at(71), silent));
  }

  @Test
  void aRetryByACallerBeginsAnother() {
    Job ended = claimed(sent(fire(), 0), "w1", 1).ended(JobState.FAILED, at(2), BOOM);
    Job retried =
        ended.retried(ended.run(), at(9), at(9), Reason.of(ReasonCode.RETRIED_BY_HAND, "ann"));
    assertThat(RunAttempt.of(claimed(sent(retried, 9), "w2", 10)))
        .extracting(RunAttempt::number, RunAttempt::endedAt)
        .containsExactly(tuple(1, at(2)), tuple(2, null));
  }

  @Test
  void ofALongHistoryTheFirstAndTheLastAreShown() {
    Job job = fire();
    for (int i = 1; i <= 20; i++) {
      job = failed(claimed(sent(job, 10 * i), "w" + i, 10 * i + 1), 10 * i + 2);
    }
    List<RunAttempt> shown = RunAttempt.of(job);
    assertThat(shown)
        .allSatisfy(
            one -> {
              assertThat(one.worker()).isEqualTo("w" + one.number());
              assertThat(one.endedAt()).isNotNull();
            });
    assertThat(shown)
        .extracting(RunAttempt::number)
        .startsWith(1, 2)
        .endsWith(18, 19, 20)
        .isSorted();
    assertThat(shown).hasSizeBetween(6, 9);
    assertThat(IntStream.of(1, 2, 19, 20))
        .allMatch(
            number ->
                shown.stream().anyMatch(one -> one.number() == number && one.endedAt() != null));
  }

  /** The last transitions begin with a report, so the attempt's worker is not known. */
  @Test
  void anAttemptWithoutItsClaimIsLeftOut() {
    Job job = fire();
    for (int i = 1; i <= 20; i++) {
      Job claimed = claimed(sent(job, 10 * i), "w" + i, 10 * i + 1);
      Job started = TrackedJob.goesOn(claimed, claimed.run(), at(10 * i + 2), at(10 * i + 62));
      job = i % 2 == 0 ? failed(claimed, 10 * i + 3) : failed(started, 10 * i + 3);
    }
    for (int i = 21; i <= 24; i++) {
      job = sent(job, 10 * i);
      assertThat(RunAttempt.of(job))
          .filteredOn(one -> one.endedAt() != null)
          .allSatisfy(one -> assertThat(one.worker()).isEqualTo("w" + one.number()));
      job = failed(claimed(job, "w" + i, 10 * i + 1), 10 * i + 2);
    }
  }
}
