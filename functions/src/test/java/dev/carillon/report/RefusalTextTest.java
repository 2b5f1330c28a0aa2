package dev.carillon.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RefusalTextTest {

  private static final ScheduleId SCHEDULE = new ScheduleId("default", "nightly");
  private static final Instant DUE = Instant.parse("2026-03-01T03:00:00Z");

  private static Job job(JobId id) {
    return NewJob.launchingFire(id, 1, "exporter", DUE, DUE);
  }

  @Test
  void aJobOfABackfillIsReplacedByABackfillOfItsFire() {
    Job job = job(JobId.ofBackfill(new BackfillId(SCHEDULE, "x1y2z"), 1, DUE));
    assertThat(RefusalText.of(job, Refusal.UNWANTED))
        .endsWith("start a backfill from before 2026-03-01T03:00:00.000Z to this instant");
    assertThat(RefusalText.of(job(JobId.ofFire(SCHEDULE, 1, DUE)), Refusal.UNWANTED))
        .endsWith("use launch for a new job");
  }

  @Test
  void anEndedJobCannotBeCancelled() {
    assertThat(RefusalText.of(job(JobId.ofFire(SCHEDULE, 1, DUE)), Refusal.ENDED))
        .endsWith("has ended; use launch for a new job");
  }
}
