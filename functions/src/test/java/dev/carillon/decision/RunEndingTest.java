package dev.carillon.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.run.RunPolicy;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which jobs an event ends that reports the end of a run. Tracked jobs: RunDecisionTest. */
class RunEndingTest {

  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final GateKey PROGRAM = GateKey.ofProgram("default", "exporter");

  private static Job leased() {
    ScheduleId report = new ScheduleId("default", "report");
    return NewJob.dueFire(JobId.ofFire(report, 1, NOON), 1, "exporter")
        .through(GateTicket.through(List.of(PROGRAM), true, NOON))
        .launching(NOON, NOON.plusSeconds(15));
  }

  private static Job enqueued() {
    return leased().enqueued(NOON, null, NOON.plusSeconds(86_400));
  }

  private static Job in(String state) {
    Reason why = Reason.of(ReasonCode.RUN_END_MISSING, "P1D");
    return switch (state) {
      case "enqueued" -> enqueued();
      case "leased" -> leased();
      case "leased without slots" -> leased().through(null);
      case "refused" -> leased().refused(NOON, why);
      case "suspended" -> leased().waitingForResumption(NOON, why);
      case "at a gate" -> leased().waitingAt(PROGRAM, NOON, NOON, why);
      case "waits for the clock" -> leased().waitingUntil(NOON, NOON, NOON, why);
      case "tracked" -> leased().tracked(RunPolicy.USUAL).enqueued(NOON, null, NOON);
      case "failed" -> enqueued().ended(JobState.FAILED, NOON, why);
      default -> throw new IllegalArgumentException(state);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "enqueued,             true,  true",
    "leased,               true,  false",
    "leased without slots, true,  false",
    "refused,              true,  false",
    "suspended,            true,  false",
    "at a gate,            true,  false",
    "waits for the clock,  true,  false",
    "tracked,              false, false",
    "failed,               false, false"
  })
  void anEventEnds(String state, boolean ifNamed, boolean ifNot) {
    assertThat(RunEnding.endsByEvent(in(state), true)).isEqualTo(ifNamed);
    assertThat(RunEnding.endsByEvent(in(state), false)).isEqualTo(ifNot);
  }

  @Test
  void anUntrackedRunWhoseEndIsNotReportedHasFailed() {
    assertThat(RunEnding.withoutReport(enqueued(), false, NOON.plusSeconds(86_400)))
        .isEqualTo(
            new JobDecision.End(JobState.FAILED, Reason.of(ReasonCode.RUN_END_MISSING, "PT24H")));
  }
}
