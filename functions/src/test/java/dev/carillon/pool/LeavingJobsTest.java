package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.run.Claim;
import dev.carillon.run.Place;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What became of a job that a pool chose at noon. */
class LeavingJobsTest {

  private static final Instant LATER = NOON.plusSeconds(9);
  private static final Reason ANY = Reason.of(ReasonCode.SCHEDULE_CHANGED);
  private static final Job READY = PooledJobs.ready(1, "A", 5, NOON);

  private final MemoryJobs jobs = new MemoryJobs(1);

  /** The stored job. Another place in the pool is since 12:00:09. */
  private static Job stored(String fate) {
    Job leased = READY.launching(LATER, LATER.plusSeconds(15));
    Job queued = leased.enqueued(LATER, null, LATER.plusSeconds(900));
    Place again = new Place(ID.name(), LATER, false);
    return switch (fate) {
      case "waits" -> READY;
      case "leased" -> leased;
      case "queued" -> queued;
      case "claimed" ->
          TrackedJob.claimed(queued, new Claim("w", "t", LATER, null), LATER, LATER.plusSeconds(9));
      case "cancelled" -> READY.ended(JobState.CANCELLED, LATER, ANY);
      case "refused" -> leased.waitingIn(again, null, LATER, ANY);
      case "leased again" ->
          leased.waitingIn(again, null, LATER, ANY).launching(LATER, LATER.plusSeconds(15));
      default -> throw new IllegalArgumentException(fate);
    };
  }

  @ParameterizedTest
  @CsvSource({
    // fate, pulled, still chosen, ready, leased, rows that are removed, newly moved
    "waits,        false, 1, 1, 0, 0, 0",
    "waits,        true,  1, 1, 0, 0, 0",
    "leased,       false, 1, 0, 1, 0, 0",
    "queued,       false, 0, 0, 0, 1, 1",
    "claimed,      false, 0, 0, 0, 1, 1",
    "claimed,      true,  0, 0, 0, 1, 0",
    // it has left the pool without being in flight, so that row goes too
    "cancelled,    false, 0, 0, 0, 2, 0",
    "deleted,      false, 0, 0, 0, 2, 0",
    "refused,      false, 0, 0, 0, 2, 0",
    "leased again, false, 0, 0, 0, 2, 0"
  })
  void theJobThatWasChosen(
      String fate, boolean isPulled, int chosen, int ready, int leased, int rows, long moved) {
    if (!fate.equals("deleted")) {
      jobs.insert(List.of(stored(fate)));
    }
    Leaving leaving = PooledJobs.leaving(READY, isPulled);

    LeavingJobs read = LeavingJobs.read(PooledJobs.choosing(List.of(leaving)), jobs);

    assertThat(read.state().leaving()).hasSize(chosen);
    assertThat(read.ready()).hasSize(ready);
    assertThat(read.leased()).hasSize(leased);
    assertThat(read.rows()).hasSize(rows);
    assertThat(read.newlyMoved()).isEqualTo(moved);
    assertThat(read.rows().contains(leaving.job())).isEqualTo(rows > 0);
    assertThat(read.rows().contains(PoolQueue.inFlight(READY))).isEqualTo(rows > 1);
  }

  @Test
  void aJobThatCannotBeReadKeepsItsTurn() {
    Job other = PooledJobs.ready(2, "B", 5, NOON);
    jobs.insert(List.of(READY, other));
    List<Leaving> both =
        List.of(PooledJobs.leaving(READY, false), PooledJobs.leaving(other, false));

    LeavingJobs read = LeavingJobs.read(PooledJobs.choosing(both), unreadable(READY.id()));

    assertThat(read.state().leaving()).isEqualTo(both);
    assertThat(read.ready()).containsExactly(both.get(1));
    assertThat(read.rows()).isEmpty();
  }

  @Test
  void theRoomIsWhatTheChosenJobsLeave() {
    jobs.insert(List.of(READY));
    LeavingJobs read =
        LeavingJobs.read(PooledJobs.choosing(List.of(PooledJobs.leaving(READY, false))), jobs);
    assertThat(read.room()).isEqualTo(PoolState.MOST_LEAVING - 1);
  }

  /** Of a pool that has moved three jobs before, one of which a worker claimed. */
  @ParameterizedTest
  @CsvSource({
    // fate, pulled, in the queue or on the way there
    "waits,   false, 3",
    "waits,   true,  2",
    "queued,  false, 3",
    "claimed, true,  2"
  })
  void jobsInTheQueueOrOnTheirWayThere(String fate, boolean isPulled, long visible) {
    jobs.insert(List.of(stored(fate)));
    PoolState state =
        PoolState.begin(ID).next(Map.of(), List.of(PooledJobs.leaving(READY, isPulled)), 3);
    LeavingJobs read = LeavingJobs.read(state, jobs);
    assertThat(read.visible(new PoolActivity(ID, 1, null, false, null))).isEqualTo(visible);
  }

  private Jobs unreadable(JobId damaged) {
    return (Jobs)
        Proxy.newProxyInstance(
            Jobs.class.getClassLoader(),
            new Class<?>[] {Jobs.class},
            (proxy, method, arguments) -> {
              Collection<?> ids = (Collection<?>) arguments[0];
              if (ids.contains(damaged)) {
                throw new UnreadableJobs(Set.of(damaged), new IllegalStateException("damaged"));
              }
              return method.invoke(jobs, arguments);
            });
  }
}
