package dev.carillon.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.document.Json;
import dev.carillon.document.SqsIdentifier;
import dev.carillon.id.BackfillId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.run.Claim;
import dev.carillon.run.Run;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Announces the ends of tracked jobs. Each end is an event of the job's program, for triggers of
 * type {@code programStatus}, and wakes the backfill of the job. Only the checker may send to
 * target queues, so it sends the callbacks.
 */
public final class Conclusions {

  private static final String STARTED = "STARTED";

  private final Shared shared;
  private final PoolWakeups pools;
  private final InstantSource clock;

  public Conclusions(Shared shared, InstantSource clock) {
    this.shared = shared;
    this.pools = new PoolWakeups(shared, clock);
    this.clock = clock;
  }

  /**
   * Announces the end of a job, and stores that this is done. If the job has a callback, the
   * checker announces the end.
   *
   * @throws RuntimeException if the end may not have been announced; the call can be repeated
   */
  void conclude(Job job) {
    if (job.callback() == null) {
      announce(List.of(job));
      shared.jobs().update(List.of(new Update(job, job.concluded())));
    } else {
      Instant now = clock.instant();
      shared.checks().send(Check.of(now, List.of(job.runId())), now);
    }
  }

  /**
   * Announces the ends of jobs. A repeated announcement has the same event id, so it counts only
   * once. The call leaves out jobs whose callback was refused, because their ends were announced
   * before the callback was sent.
   *
   * @throws RuntimeException if some ends may not have been announced; the call can be repeated
   */
  public void announce(List<Job> jobs) {
    List<Job> tracked =
        jobs.stream().filter(job -> job.run() != null && job.callbackAt() == null).toList();
    List<Job> ofRuns = tracked.stream().filter(Conclusions::isEndOfRun).toList();
    // This comes before the events are sent. While a pool cannot be read, this call is repeated,
    // possibly for longer than event ids are remembered.
    if (!tracked.isEmpty()) {
      pools.ended(tracked);
    }
    if (!ofRuns.isEmpty()) {
      shared.ingest().send(ofRuns.stream().flatMap(Conclusions::events).toList());
    }
    tracked.forEach(job -> job.id().backfill().ifPresent(this::wake));
  }

  /**
   * The end of a job that was skipped, timed out or never sent is not the end of a run of its
   * program.
   */
  private static boolean isEndOfRun(Job job) {
    return switch (job.state()) {
      case SUCCEEDED, FAILED, CANCELLED -> job.wasAccepted();
      default -> false;
    };
  }

  /**
   * The event of the job's end. If the first report of the claim was the final one, the event of
   * the run's start comes before it.
   */
  private static Stream<String> events(Job job) {
    Instant ended = Objects.requireNonNull(job.endedAt());
    String end = event(job, job.state().name(), ended);
    Claim claim = job.claim();
    boolean isStart = claim != null && ended.equals(claim.startedAt());
    return isStart ? Stream.of(event(job, STARTED, ended), end) : Stream.of(end);
  }

  /** Announces the start of a run, unless its first report is also its last. */
  void started(Job job) {
    shared.ingest().send(List.of(event(job, STARTED, clock.instant())));
  }

  void wake(BackfillId backfill) {
    Instant now = clock.instant();
    shared.checks().send(Check.of(now, List.of(backfill)), now);
  }

  private static String event(Job job, String status, Instant at) {
    ObjectNode event =
        Json.object()
            .put("id", SqsIdentifier.fit(job.id() + "-" + job.attempt() + "-" + status))
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
