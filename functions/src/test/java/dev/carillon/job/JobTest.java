package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The transitions of a job, and its properties after each of them. */
class JobTest {

  private static final ScheduleId ID = new ScheduleId("default", "report");
  private static final GateKey GATE = GateKey.ofProgram("default", "report");
  private static final Reason REASON = Reason.of(ReasonCode.LAUNCHED_BY_HAND);
  private static final TriggerState COUNTED = new TriggerState(List.of(), List.of(), 0);
  private static final Job DUE = NewJob.dueFire(JobId.ofFire(ID, 1, at("10:00")), 7, "report");
  private static final Job STORED =
      NewJob.triggered(
          JobId.ofEvents(ID, 1, at("09:50"), 1),
          7,
          "report",
          at("10:00"),
          at("09:50"),
          at("10:01"),
          COUNTED,
          null);

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + (time.length() == 5 ? time + ":00" : time) + "Z");
  }

  // ---- new jobs

  @Test
  void aDueFireHasNoStoredJob() {
    assertThat(DUE.version()).isZero();
    assertThat(DUE.isNew()).isFalse();
    assertThat(DUE.state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    assertThat(DUE.scheduledFor()).isEqualTo(at("10:00"));
    assertThat(DUE.triggeredAt()).isEqualTo(at("10:00"));
    assertThat(DUE.priority()).isEqualTo(Precedence.DEFAULT_PRIORITY);
    assertThat(DUE.attempt()).isEqualTo(1);
    assertThat(DUE.attentionAt()).isNull();
    assertThat(DUE.newestReason()).isNull();
    assertThat(DUE.lastReason()).isNull();
    assertThat(DUE.isWaiting()).isFalse();
  }

  @Test
  void aFireThatWaitsOrLaunchesIsStoredInThatState() {
    Job waiting = NewJob.waitingFire(DUE.id(), 7, "report", at("10:00"));
    assertThat(waiting.isNew()).isTrue();
    assertThat(waiting.state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    Job launching = NewJob.launchingFire(DUE.id(), 7, "report", at("10:00"), at("10:01"));
    assertThat(launching.isNew()).isTrue();
    assertThat(launching.state()).isEqualTo(JobState.PENDING_LAUNCH);
    assertThat(launching.launchingUntil()).isEqualTo(at("10:01"));
    assertThat(launching.attentionAt()).isNull();
    assertThat(launching.newestReason()).isNull();
  }

  @Test
  void aSatisfiedJobIsCheckedAgainIfItsMessageIsLost() {
    Job again =
        NewJob.triggered(
            STORED.id(), 7, "report", at("10:00"), at("09:50"), at("10:01"), COUNTED, null);
    assertThat(again).isEqualTo(STORED);
    assertThat(STORED.isNew()).isTrue();
    assertThat(STORED.scheduledFor()).isEqualTo(at("10:00"));
    assertThat(STORED.triggeredAt()).isEqualTo(at("10:01"));
    assertThat(STORED.attentionAt()).isEqualTo(at("10:01").plus(Wakeup.SLACK));
    assertThat(STORED.transitions())
        .containsExactly(
            new Transition(at("09:50"), JobState.PENDING_TRIGGER, null),
            new Transition(at("10:01"), JobState.PENDING_CONSTRAINT, null));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"true, true", "false, false", ", false"})
  void aManualLaunchCanIgnoreConstraints(Boolean given, boolean ignores) {
    Job job =
        NewJob.launchedNow(
            JobId.ofLaunchNow(ID, 1, at("10:00"), "a"),
            7,
            "report",
            at("10:00"),
            Json.object().put(Job.IGNORE_CONSTRAINTS, given));
    assertThat(job.ignoresConstraints()).isEqualTo(ignores);
    assertThat(job.isNew()).isTrue();
    assertThat(job.attentionAt()).isEqualTo(at("10:00").plus(Wakeup.SLACK));
    assertThat(job.newestReason()).isEqualTo(REASON);
    assertThat(DUE.ignoresConstraints()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = JobState.class,
      names = {"LAUNCHED", "SUCCEEDED", "FAILED", "SKIPPED", "TIMED_OUT", "CANCELLED"})
  void anEndedJobHasAnEnd(JobState end) {
    Job over = NewJob.endedBeforeLaunch(DUE.id(), 7, "report", end, COUNTED, at("10:05"), REASON);
    assertThat(over.isEnded()).isTrue();
    assertThat(over.endedAt()).isEqualTo(at("10:05"));
    assertThat(over.isNew()).isTrue();
    assertThat(over.lastReason()).isEqualTo(REASON.text());
    assertThat(DUE.endedAt()).isNull();
    assertThat(DUE.isEnded()).isFalse();
  }

  // ---- why it waits

  @Test
  void aJobWaitsUntilItsConstraintsCanHold() {
    Job waiting = STORED.waitingUntil(at("11:00"), at("11:01"), at("10:02"), REASON);
    assertThat(waiting.version()).isEqualTo(2);
    assertThat(waiting.notBefore()).isEqualTo(at("11:00"));
    assertThat(waiting.attentionAt()).isEqualTo(at("11:01"));
    assertThat(waiting.isBlocked()).isTrue();
    assertThat(waiting.isWaiting()).isTrue();
    assertThat(waiting.isRefused()).isFalse();
    assertThat(waiting.isSuspended()).isFalse();
    assertThat(waiting.newestReason()).isEqualTo(REASON);
  }

  @Test
  void aReasonIsRecordedWhenItDiffersFromTheLastOne() {
    Job waiting = STORED.waitingUntil(at("11:00"), at("11:01"), at("10:02"), REASON);
    Job same = waiting.waitingUntil(at("12:00"), at("12:01"), at("11:00"), REASON);
    assertThat(same.transitions()).isEqualTo(waiting.transitions());
    assertThat(same.notBefore()).isEqualTo(at("12:00"));
    Reason another = Reason.of(ReasonCode.LAUNCH_INTERRUPTED);
    Job changed = waiting.waitingUntil(at("12:00"), at("12:01"), at("11:00"), another);
    assertThat(changed.transitions()).hasSize(4);
    Job launching = waiting.launching(at("11:00"), at("11:01"), REASON);
    assertThat(launching.waitingUntil(at("12:00"), at("12:01"), at("11:00"), REASON).transitions())
        .hasSize(5);
  }

  @Test
  void aJobWaitsAtAGateWithItsPriorityAndAge() {
    Job waiting =
        STORED.withCustomerAndPriority("ann", 2).waitingAt(GATE, at("11:00"), at("10:02"), REASON);
    assertThat(waiting.waitsAt()).isEqualTo(GATE);
    assertThat(waiting.isBlocked()).isTrue();
    assertThat(waiting.hasStakeInGates()).isTrue();
    assertThat(waiting.isSlotted()).isFalse();
    assertThat(waiting.placeAt(GATE)).isEqualTo(new Waiter(GATE, 2, at("10:01"), STORED.id()));
    assertThat(waiting.customer()).isEqualTo("ann");
    Job over = waiting.ended(JobState.CANCELLED, at("10:03"), REASON);
    assertThat(over.waitsAt()).isNull();
    assertThat(over.hasStakeInGates()).isFalse();
  }

  @Test
  void aJobIsSuspendedWithItsSchedule() {
    Job suspended =
        STORED
            .waitingAt(GATE, at("11:00"), at("10:02"), REASON)
            .waitingForResumption(at("10:03"), REASON);
    assertThat(suspended.isSuspended()).isTrue();
    assertThat(suspended.isWaiting()).isTrue();
    assertThat(suspended.isBlocked()).isFalse();
    assertThat(suspended.waitsAt()).isNull();
    assertThat(STORED.isSuspended()).isFalse();
  }

  // ---- launching

  @Test
  void aJobIsLeasedByItsCheckerUntilTheLeaseEnds() {
    Job launching = STORED.launching(at("10:02"), at("10:03"));
    assertThat(launching.isBeingLaunched(at("10:02:59.999"))).isTrue();
    assertThat(launching.isBeingLaunched(at("10:03"))).isFalse();
    assertThat(STORED.isBeingLaunched(at("10:02"))).isFalse();
    assertThat(launching.attentionAt()).isEqualTo(at("10:03"));
    assertThat(launching.newestReason()).isNull();
    assertThat(launching.launching(at("10:04"), at("10:05")).newestReason())
        .isEqualTo(Reason.of(ReasonCode.LAUNCH_INTERRUPTED));
    assertThat(launching.mayHaveBeenSent()).isTrue();
    assertThat(STORED.mayHaveBeenSent()).isFalse();
  }

  @ParameterizedTest(name = "refused {0} times before: {1}")
  @CsvSource({
    "0, PT1S",
    "1, PT2S",
    "2, PT4S",
    "7, PT2M8S",
    "8, PT4M16S",
    "9, PT5M",
    "10, PT5M",
    "70, PT5M"
  })
  void aRefusedRequestIsSentAgainAfterALongerDelayEachTime(int before, Duration backoff) {
    Job job = STORED;
    for (int i = 0; i <= before; i++) {
      job = job.launching(at("10:02"), at("10:03")).refused(at("10:02"), REASON);
    }
    assertThat(job.notBefore()).isEqualTo(at("10:02").plus(backoff));
    assertThat(job.attentionAt()).isEqualTo(job.notBefore().plus(Wakeup.SLACK));
    assertThat(job.refusals()).isEqualTo(before + 1);
    assertThat(job.isRefused()).isTrue();
    assertThat(job.isBlocked()).isFalse();
    assertThat(job.isWaiting()).isTrue();
  }

  @Test
  void anAcceptedRequestIsNoLongerRefused() {
    Job refused = STORED.launching(at("10:02"), at("10:03")).refused(at("10:02"), REASON);
    Job launching = refused.launching(at("10:04"), at("10:05"));
    assertThat(launching.refusals()).isEqualTo(1);
    assertThat(launching.isRefused()).isFalse();
    Job sent = launching.sent(at("10:04"), null);
    assertThat(sent.state()).isEqualTo(JobState.LAUNCHED);
    assertThat(sent.launchedAt()).isEqualTo(at("10:04"));
    assertThat(sent.attentionAt()).isNull();
    Job enqueued = launching.enqueued(at("10:04"), REASON, at("23:00"));
    assertThat(enqueued.state()).isEqualTo(JobState.ENQUEUED);
    assertThat(enqueued.attentionAt()).isEqualTo(at("23:00"));
    assertThat(enqueued.refusals()).isZero();
    assertThat(enqueued.newestReason()).isEqualTo(REASON);
  }

  @Test
  void anEndIsReportedOfALaunchEvenIfItsReplyWasLost() {
    GateTicket through = GateTicket.through(List.of(GATE), true, at("10:02"));
    Job launching = STORED.through(through).launching(at("10:02"), at("10:03"));
    assertThat(launching.isSlotted()).isTrue();
    assertThat(launching.hasStakeInGates()).isTrue();
    Job unknown = launching.reported(JobState.FAILED, at("10:09"), REASON, null);
    assertThat(unknown.launchedAt()).isEqualTo(at("10:09"));
    assertThat(unknown.ticket()).isEqualTo(through);
    assertThat(unknown.hasStakeInGates()).isFalse();
    Job ended =
        launching
            .enqueued(at("10:04"), null, at("23:00"))
            .reported(JobState.SUCCEEDED, at("10:09"), REASON, 5L);
    assertThat(ended.launchedAt()).isEqualTo(at("10:04"));
    assertThat(ended.ticket()).isEqualTo(through.endedBy(5));
    assertThat(STORED.reported(JobState.FAILED, at("10:09"), REASON, 5L).ticket()).isNull();
  }

  // ---- what is kept

  @Test
  void aLongHistoryKeepsTheFirstTenAndTheLastTwentyTransitions() {
    Job job = STORED;
    for (int i = 0; i < 28; i++) {
      job = job.waitingForResumption(at("10:02").plusSeconds(i), REASON);
    }
    assertThat(job.transitions()).hasSize(30);
    Job longer = job.waitingForResumption(at("11:00"), REASON);
    assertThat(longer.transitions()).hasSize(30);
    assertThat(longer.transitions().subList(0, 10)).isEqualTo(job.transitions().subList(0, 10));
    assertThat(longer.transitions().get(10)).isEqualTo(job.transitions().get(11));
    assertThat(longer.transitions().get(29).at()).isEqualTo(at("11:00"));
  }

  @Test
  void mergingRaisesTheVersionOnlyOfAStoredJob() {
    TriggerState more = new TriggerState(List.of(), List.of(), 4);
    assertThat(STORED.grown(more).version()).isEqualTo(2);
    assertThat(STORED.withTriggerState(more).version()).isEqualTo(1);
    assertThat(STORED.grown(more).triggerState()).isEqualTo(more);
  }

  @Test
  void aJobKeepsItsPlaceAtAGateWhenItsCheckIsPostponed() {
    GateKey gate = GateKey.ofProgram("default", "report");
    Job waiting = STORED.waitingAt(gate, at("11:00"), at("10:30"), REASON);
    Job later = waiting.waitingOn(at("12:00"));
    assertThat(later.waitsFor()).isEqualTo(new Wait.AtGate(gate, at("12:00")));
    assertThat(later.version()).isEqualTo(waiting.version() + 1);
    assertThat(later.transitions()).isEqualTo(waiting.transitions());
  }
}
