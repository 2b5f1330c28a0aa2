package dev.carillon.collect;

import static dev.carillon.collect.CollectingSchedule.ID;
import static dev.carillon.collect.CollectingSchedule.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.collect.WaitingPolicy.Collect;
import dev.carillon.collect.WaitingPolicy.Merge;
import dev.carillon.collect.WaitingPolicy.Skip;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.WhilePending;
import dev.carillon.trigger.LeafCount;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitingPolicyTest {

  private static final JobId FIRE = JobId.ofFire(ID, 1, at("10:30"));
  private static final Job WAITING = NewJob.waitingFire(FIRE, 1, "report", at("10:30"));
  private static final Job REFUSED =
      WAITING
          .launching(at("10:31"), at("10:32"))
          .refused(at("10:31"), Reason.of(ReasonCode.LAUNCHED_BY_HAND));

  @ParameterizedTest(name = "{0} while {1} waits: {2}")
  @CsvSource({
    "QUEUE, nothing,     Collect",
    "MERGE, nothing,     Collect",
    "SKIP,  nothing,     Collect",
    "QUEUE, a job,       Collect",
    "MERGE, a job,       Merge",
    "SKIP,  a job,       Skip",
    // its request may have arrived although it was refused, so the job must not change
    "QUEUE, a sent job,  Collect",
    "MERGE, a sent job,  Collect",
    "SKIP,  a sent job,  Skip"
  })
  void dependsOnTheScheduleAndTheWaitingJob(WhilePending asked, String waiting, String expected) {
    Job job =
        switch (waiting) {
          case "nothing" -> null;
          case "a job" -> WAITING;
          default -> REFUSED;
        };
    WaitingPolicy policy = WaitingPolicy.of(asked, job);
    assertThat(policy.getClass().getSimpleName()).isEqualTo(expected);
    assertThat(policy.whySkipped())
        .isEqualTo(
            switch (expected) {
              case "Merge" -> Reason.of(ReasonCode.MERGED_INTO_WAITING, FIRE);
              case "Skip" -> Reason.of(ReasonCode.DROPPED_FOR_WAITING, FIRE);
              default -> null;
            });
  }

  @Test
  void mergingRaisesTheVersionOfAStoredJobButNotOfANewOne() {
    TriggerState merged = new TriggerState(List.of(new LeafCount(1, 2, at("10:40"))), List.of(), 0);
    Merge merge = (Merge) WaitingPolicy.of(WhilePending.MERGE, WAITING);
    Job grown = merge.grown(merged, false).into();
    Job still = merge.grown(merged, true).into();
    assertThat(grown.triggerState()).isEqualTo(merged);
    assertThat(grown.version()).isEqualTo(WAITING.version() + 1);
    assertThat(still.triggerState()).isEqualTo(merged);
    assertThat(still.version()).isEqualTo(WAITING.version());
  }

  @Test
  void droppedEventsAreRecordedInOneJob() {
    TriggerState nothing = new TriggerState(List.of(), List.of(), 0);
    OpenJob dropped = new OpenJob(JobId.ofEvents(ID, 1, at("10:40"), 7), at("10:40"), nothing);
    Skip skip = (Skip) WaitingPolicy.of(WhilePending.SKIP, WAITING);
    assertThat(skip.skipped()).isNull();
    assertThat(skip.with(dropped)).isEqualTo(new Skip(WAITING, dropped));
    assertThat(new Collect().whySkipped()).isNull();
  }
}
