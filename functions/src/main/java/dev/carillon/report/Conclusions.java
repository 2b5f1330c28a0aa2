package dev.carillon.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.document.Json;
import dev.carillon.id.BackfillId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.run.Run;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/**
 * Announces the ends of tracked jobs: each end is an event of its program, for triggers of type
 * {@code programStatus}, and wakes the backfill of its job.
 */
public final class Conclusions {

  private final Shared shared;
  private final InstantSource clock;

  public Conclusions(Shared shared, InstantSource clock) {
    this.shared = shared;
    this.clock = clock;
  }

  /**
   * Announces the end of a job, and stores that this is done. A repeated announcement has the same
   * event id, so it counts once.
   *
   * @throws RuntimeException if the end may not be announced; the call can be repeated
   */
  public void conclude(Job job) {
    shared
        .ingest()
        .send(List.of(event(job, job.state().name(), Objects.requireNonNull(job.endedAt()))));
    job.id().backfill().ifPresent(this::wake);
    shared.jobs().update(List.of(new Update(job, job.concluded())));
  }

  /** Announces that a job begins to run. */
  void started(Job job) {
    shared.ingest().send(List.of(event(job, "STARTED", clock.instant())));
  }

  void wake(BackfillId backfill) {
    Instant now = clock.instant();
    shared.checks().send(Check.of(now, List.of(backfill)), now);
  }

  private static String event(Job job, String status, Instant at) {
    ObjectNode event =
        Json.object()
            .put("id", job.id() + "-" + job.attempt() + "-" + status)
            .put("namespace", job.id().schedule().namespace())
            .put("timestamp", at.toEpochMilli())
            .put("eventType", "PROGRAM_STATUS");
    ObjectNode payload =
        event
            .putObject("payload")
            .put("programId", job.program())
            .put("status", status)
            .put("runId", job.id().toString());
    Run run = job.run();
    if (job.isEnded() && run != null && run.output() != null) {
      payload.set("output", run.output());
    }
    return Json.write(event);
  }
}
