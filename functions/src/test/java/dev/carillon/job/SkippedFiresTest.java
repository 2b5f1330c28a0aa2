package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.trigger.LeafCount;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkippedFiresTest {

  private static final ScheduleId ID = new ScheduleId("default", "report");

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + (time.length() == 5 ? time + ":00" : time) + "Z");
  }

  private static JobId fire(String time) {
    return JobId.ofFire(ID, 1, at(time));
  }

  private static final SkippedFires MISSED = new SkippedFires(fire("10:00"), at("12:00"), 3, 1);

  @Test
  void missedFiresShareOneStoredJob() {
    Job row = MISSED.row(7, "report", at("13:00"), "none are made up for");
    assertThat(row.state()).isEqualTo(JobState.SKIPPED);
    assertThat(row.id()).isEqualTo(fire("10:00"));
    assertThat(row.activation()).isEqualTo(7);
    assertThat(row.triggerState().leaves())
        .containsExactly(new LeafCount(1, 0, null), new LeafCount(1, 3, at("12:00")));
    assertThat(row.newestReason().code()).isEqualTo(ReasonCode.MISSED_FIRES);
    assertThat(SkippedFires.of(row)).contains(MISSED);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "09:59:59.999, false",
    "10:00, true",
    "11:00, true",
    "12:00, true",
    "12:00:00.001, false"
  })
  void theyReachFromTheFirstToTheLast(String fire, boolean contained) {
    assertThat(MISSED.contains(at(fire))).isEqualTo(contained);
  }

  @Test
  void otherJobsStandForSingleFires() {
    Reason reason = Reason.of(ReasonCode.LAUNCHED_BY_HAND);
    TriggerState events = new TriggerState(List.of(new LeafCount(1, 1, null)), List.of(), 0);
    TriggerState fires = MISSED.row(7, "report", at("13:00"), "none").triggerState();
    JobId ofEvents = JobId.ofEvents(ID, 1, at("10:00"), 1);
    assertThat(SkippedFires.of(skipped(fire("10:00"), null, reason))).isEmpty();
    assertThat(SkippedFires.of(skipped(fire("10:00"), events, reason))).isEmpty();
    assertThat(SkippedFires.of(skipped(ofEvents, fires, reason))).isEmpty();
    assertThat(SkippedFires.of(skipped(fire("10:00"), fires, reason))).isPresent();
    assertThat(
            SkippedFires.of(
                NewJob.endedBeforeLaunch(
                    fire("10:00"), 7, "report", JobState.TIMED_OUT, fires, at("13:00"), reason)))
        .isEmpty();
  }

  private static Job skipped(JobId id, TriggerState triggerState, Reason reason) {
    return NewJob.endedBeforeLaunch(
        id, 7, "report", JobState.SKIPPED, triggerState, at("13:00"), reason);
  }

  @Test
  void theyAreFoundFromAnyLaterFire() {
    MemoryJobs jobs = new MemoryJobs(1);
    jobs.insert(List.of(MISSED.row(7, "report", at("13:00"), "none")));
    assertThat(SkippedFires.upTo(fire("11:00"), jobs)).containsExactly(MISSED);
    assertThat(SkippedFires.upTo(fire("09:00"), jobs)).isEmpty();
  }
}
