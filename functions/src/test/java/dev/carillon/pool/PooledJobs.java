package dev.carillon.pool;

import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.run.Place;
import dev.carillon.run.RunPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Jobs of a pool at noon. The number of a job is the second of its fire. */
final class PooledJobs {

  static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
  static final PoolId ID = new PoolId("default", "encode");

  private PooledJobs() {}

  static StoredPool pool(String document) {
    return StoredPool.created(ID, PoolReader.read(Json.readObject(document)), NOON, "ann");
  }

  static JobId id(int number) {
    return JobId.ofFire(new ScheduleId("default", "s"), 1, NOON.minusSeconds(86_400L - number));
  }

  /** A job that waits READY since an instant. */
  static Job ready(int number, String customer, int priority, Instant since) {
    return NewJob.dueFire(id(number), 1, "encoder")
        .withCustomerAndPriority(customer, priority)
        .tracked(RunPolicy.USUAL)
        .waitingIn(new Place(ID.name(), since, false), null, since, null);
  }

  static Leaving leaving(Job job, boolean isPulled) {
    return new Leaving(PoolQueue.row(job, Pool.Order.FAIR), NOON.plusSeconds(2), isPulled, 0);
  }

  /** The first stored state, with jobs that the pool has chosen. */
  static PoolState choosing(List<Leaving> leaving) {
    return PoolState.begin(ID).next(Map.of(), leaving, 0);
  }
}
