package dev.carillon.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The wake-ups to send before a message is acknowledged. It is noon. */
class FollowUpsTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final GateKey DISK = GateKey.ofResource("default", "disk");
  private static final Reason ANY = Reason.of(ReasonCode.CONSTRAINTS_UNMET, "any");
  private static final Job FIRE = NewJob.dueFire(JobId.ofFire(REPORT, 1, NOON), 7, "report");

  private final FollowUps followUps = new FollowUps(NOON);

  @Test
  void theEarlierOfTwoWakeUpsIsSent() {
    followUps.add(DISK, NOON);
    followUps.addIfNear(DISK, LATER);
    assertThat(followUps.wakeups()).containsEntry(DISK, NOON);
    followUps.add(FIRE.id(), LATER);
    followUps.add(FIRE.id(), NOON);
    assertThat(followUps.wakeups()).containsEntry(FIRE.id(), NOON);
  }

  @Test
  void aWakeUpThatTheIndexCarriesIsNotSent() {
    followUps.addIfNear(DISK, NOON.plusSeconds(901));
    assertThat(followUps.wakeups()).isEmpty();
  }

  @Test
  void theBackfillOfAnEndedJobIsWoken() {
    BackfillId backfill = new BackfillId(REPORT, "x1y2");
    Job job = NewJob.dueFire(JobId.ofBackfill(backfill, 1, NOON), 7, "report");
    followUps.endOf(job);
    assertThat(followUps.wakeups()).isEmpty();
    followUps.endOf(job.ended(JobState.SKIPPED, NOON, ANY));
    assertThat(followUps.wakeups()).containsEntry(backfill, NOON);
  }

  @Test
  void aJobThatAnotherCheckerLeasesIsCheckedWhenTheLeaseEnds() {
    followUps.leaveToOther(FIRE.launching(NOON, NOON));
    assertThat(followUps.wakeups()).isEmpty();
    followUps.leaveToOther(FIRE.launching(NOON, LATER));
    assertThat(followUps.wakeups()).containsEntry(FIRE.id(), LATER);
  }

  @Test
  void aJobThatStillWaitsAfterALostRaceIsCheckedAgainAtOnce() {
    List<Job> waiting =
        List.of(
            FIRE,
            FIRE.waitingAt(DISK, LATER, NOON, ANY),
            FIRE.waitingUntil(LATER, LATER, NOON, ANY),
            FIRE.waitingForResumption(NOON, ANY));
    for (Job present : waiting) {
      FollowUps ofWaiting = new FollowUps(NOON);
      ofWaiting.lostRace(present);
      assertThat(ofWaiting.wakeups()).containsExactly(Map.entry(FIRE.id(), NOON));
    }
    followUps.lostRace(FIRE.launching(NOON, LATER));
    assertThat(followUps.wakeups()).containsExactly(Map.entry(FIRE.id(), LATER));
    FollowUps ofEnded = new FollowUps(NOON);
    ofEnded.lostRace(FIRE.ended(JobState.SKIPPED, NOON, ANY));
    assertThat(ofEnded.wakeups()).isEmpty();
  }

  @Test
  void aJobThatWaitsForItsRetryAfterALostRaceIsCheckedWhenThatIsDue() {
    Job sent = FIRE.tracked(RunPolicy.USUAL).launching(NOON, LATER).enqueued(NOON, null, LATER);
    Run failed = Objects.requireNonNull(sent.run()).failed(null, "boom");
    Job again = sent.retried(failed, LATER, NOON, ANY);
    followUps.lostRace(again);
    assertThat(followUps.wakeups()).containsExactly(Map.entry(again.runId(), LATER));
    FollowUps later = new FollowUps(NOON);
    later.lostRace(sent.retried(failed, NOON.plusSeconds(901), NOON, ANY));
    assertThat(later.wakeups()).isEmpty();
  }

  @Test
  void aWaitingJobIsCheckedAtItsOpeningOrAtAGateAtItsTimeout() {
    followUps.waiting(FIRE.waitingUntil(LATER, LATER, NOON, ANY), Optional.of(NOON));
    assertThat(followUps.wakeups()).containsEntry(FIRE.id(), LATER);
    FollowUps atGate = new FollowUps(NOON);
    atGate.waiting(FIRE.waitingAt(DISK, LATER, NOON, ANY), Optional.of(NOON.plusSeconds(9)));
    assertThat(atGate.wakeups()).containsEntry(FIRE.id(), NOON.plusSeconds(9));
  }
}
