package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The steps of a job's callback. */
class CallbackTest {

  private static final ScheduleId ID = new ScheduleId("default", "report");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Reason WHY = Reason.of(ReasonCode.SCHEDULE_CHANGED);

  private static Schedule schedule(String onEnd) {
    return new ScheduleParser(ZoneOffset.UTC)
        .parse(
            ID,
            Json.readObject(
                """
                {"trigger": {"type": "manual"}, "target": {"queue": "q", "template": "t"},
                 "onEnd": %s}
                """
                    .formatted(onEnd)),
            NOON);
  }

  private static Job calling(Job job) {
    return Callback.wantedBy(schedule("{\"queue\": \"q\", \"template\": \"${outcome}\"}"), job);
  }

  private static Job due() {
    return NewJob.dueFire(JobId.ofFire(ID, 1, NOON), 1, "report");
  }

  private static Job ended() {
    return calling(due()).ended(JobState.CANCELLED, NOON, WHY);
  }

  @Test
  void aJobOfAScheduleWithoutOnEndHasNone() {
    assertThat(Callback.wantedBy(schedule("null"), due())).isEqualTo(due());
    assertThat(due().ended(JobState.CANCELLED, NOON, WHY).waitsFor()).isNull();
    assertThat(due().launching(NOON, NOON).sent(NOON, null).waitsFor()).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "SKIPPED", "TIMED_OUT", "CANCELLED"})
  void theEndOfAJobOwesItsCallbackInTheSameWrite(JobState end) {
    Job ended = calling(due()).ended(end, NOON, WHY);
    assertThat(ended.isConcluding()).isTrue();
    assertThat(ended.callbackAt()).isNull();
    assertThat(ended.attentionAt()).isEqualTo(NOON.plusSeconds(20));
  }

  @Test
  void aRequestThatNothingReportsOnOwesItsCallbackOnceItIsSent() {
    Job sent = calling(due()).launching(NOON, NOON).sent(NOON, null);
    assertThat(sent.isConcluding()).isTrue();
    assertThat(sent.attentionAt()).isEqualTo(NOON.plusSeconds(20));
  }

  @Test
  void anEndThatAnEventReportsOwesItsCallback() {
    Job launched = calling(due()).launching(NOON, NOON).enqueued(NOON, null, NOON);
    assertThat(launched.reported(JobState.FAILED, NOON, WHY, null).isConcluding()).isTrue();
  }

  @Test
  void aJobThatIsStoredInItsFinalStateOwesItsCallbackSinceThen() {
    Job over =
        NewJob.endedBeforeLaunch(
            due().id(), 1, "report", JobState.TIMED_OUT, null, NOON.plusSeconds(5), WHY);
    assertThat(over.waitsFor()).isNull();
    assertThat(calling(over).isNew()).isTrue();
    assertThat(calling(over).attentionAt()).isEqualTo(NOON.plusSeconds(25));
  }

  @Test
  void anAcceptedCallbackIsOwedNoMore() {
    Job done = Callback.sent(ended(), NOON.plusSeconds(1));
    assertThat(done.callback()).isEqualTo(new Callback(0, NOON.plusSeconds(1), null));
    assertThat(done.waitsFor()).isNull();
    assertThat(done.version()).isEqualTo(ended().version() + 1);
    assertThat(done.transitions()).isEqualTo(ended().transitions());
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "2, 4", "8, 256", "9, 300", "40, 300"})
  void aRefusedCallbackIsSentAgainLaterEachTime(int refusals, long seconds) {
    Job refused = ended();
    for (int i = 0; i < refusals; i++) {
      refused = Callback.refused(refused, NOON, "no queue");
    }
    refused = Callback.refused(refused, NOON, "still no queue");
    Instant again = NOON.plusSeconds(seconds);
    assertThat(refused.callbackAt()).isEqualTo(again);
    assertThat(refused.attentionAt()).isEqualTo(again.plusSeconds(20));
    assertThat(refused.callback()).isEqualTo(new Callback(refusals + 1, null, "still no queue"));
    assertThat(Callback.sent(refused, again).callback())
        .isEqualTo(new Callback(refusals + 1, again, null));
  }

  @Test
  void aCallbackThatNoQueueAcceptsIsGivenUp() {
    Job over = Callback.impossible(ended(), "too large");
    assertThat(over.callback()).isEqualTo(new Callback(0, null, "too large"));
    assertThat(over.waitsFor()).isNull();
  }

  @Test
  void theNextAttemptHasACallbackOfItsOwn() {
    Run run = Run.of(RunPolicy.USUAL);
    Job failed = calling(due()).tracked(RunPolicy.USUAL).ended(JobState.FAILED, run, NOON, WHY);
    Job refused = Callback.refused(failed, NOON, "no queue");
    Job done = Callback.sent(refused, NOON.plus(Duration.ofMinutes(1)));
    Job retried = done.retried(run, NOON, NOON, WHY);
    assertThat(retried.callback()).isEqualTo(Callback.UNSENT);
    assertThat(retried.ended(JobState.FAILED, NOON, WHY).isConcluding()).isTrue();
  }

  @Test
  void whatComesBeforeTheEndKeepsTheCallback() {
    Job job = calling(due()).launching(NOON, NOON.plusSeconds(15));
    assertThat(job.callback()).isEqualTo(Callback.UNSENT);
    assertThat(job.refused(NOON, WHY).callback()).isEqualTo(Callback.UNSENT);
    assertThat(job.waitingForResumption(NOON, WHY).callback()).isEqualTo(Callback.UNSENT);
    assertThat(job.enqueued(NOON, null, NOON).callback()).isEqualTo(Callback.UNSENT);
  }
}
