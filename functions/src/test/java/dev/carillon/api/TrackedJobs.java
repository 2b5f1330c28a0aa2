package dev.carillon.api;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.run.Claim;
import dev.carillon.run.Operation;
import dev.carillon.run.RunPolicy;
import dev.carillon.system.World;
import java.time.Instant;
import java.util.List;

/** Puts stored jobs into the states in which checker and workers leave tracked ones. */
final class TrackedJobs {

  static final String TOKEN = "00000000-0000-0000-0000-000000000009";
  static final String WORKER = "encoder-1";

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation("query", "sql", List.of()),
          new Operation("upload", "copy", List.of("query")));

  private TrackedJobs() {}

  static void put(World world, JobId id, JobState state) {
    Job stored = world.job(id);
    world.jobs.update(List.of(new Update(stored, in(state, stored, world.now()))));
  }

  private static Job in(JobState state, Job stored, Instant now) {
    Instant soon = now.plusSeconds(60);
    Job sent =
        stored
            .tracked(RunPolicy.USUAL.with(OPERATIONS))
            .launching(now, soon)
            .enqueued(now, null, soon);
    Job claimed = TrackedJob.claimed(sent, new Claim(WORKER, TOKEN, now, null), now, soon);
    return switch (state) {
      case ENQUEUED -> sent;
      case CLAIMED -> claimed;
      case FAILED ->
          claimed
              .ended(JobState.FAILED, now, Reason.of(ReasonCode.FAILURE_REPORTED, WORKER, "boom"))
              .concluded();
      default -> throw new IllegalArgumentException("not prepared: " + state);
    };
  }
}
