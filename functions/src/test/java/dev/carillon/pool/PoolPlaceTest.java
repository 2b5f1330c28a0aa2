package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.Job;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.pool.PoolPlace.Jobs;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The place of a job of customer A with priority 5 that waits since noon; it is 12:15. */
class PoolPlaceTest {

  private static final Instant NOW = NOON.plusSeconds(900);
  private static final Job OWN = PooledJobs.ready(0, "A", 5, NOON);

  private final Pools pools = new MemoryGates(new MemoryJobs(1)).pools();
  private final PoolQueue queue = new PoolQueue(pools);
  private int number;

  PoolPlaceTest() {
    queue.enter(List.of(PoolQueue.row(OWN, Pool.Order.FAIR)), Set.of());
  }

  private Job enter(String customer, int priority, long seconds) {
    Job job = PooledJobs.ready(++number, customer, priority, NOON.plusSeconds(seconds));
    queue.enter(List.of(PoolQueue.row(job, Pool.Order.FAIR)), Set.of());
    return job;
  }

  private PoolPlace place(String document) {
    return PoolPlace.read(pools, PooledJobs.pool(document), OWN, NOW);
  }

  private void choose(Job... jobs) {
    List<PoolState.Leaving> leaving = new ArrayList<>();
    for (Job job : jobs) {
      leaving.add(PooledJobs.leaving(job, false));
    }
    assertThat(pools.update(PoolState.begin(ID), PooledJobs.choosing(leaving))).isTrue();
  }

  @Test
  void aJobAloneInItsPoolIsNext() {
    assertThat(place("{}"))
        .isEqualTo(
            new PoolPlace(
                false,
                new Jobs(0, false),
                new Jobs(0, false),
                new PoolTurn(1, false, Map.of()),
                0,
                false,
                null,
                null));
  }

  /** The other job; seconds after noon. */
  @ParameterizedTest
  @CsvSource({
    // customer, priority, since, more urgent, older of the customer
    "A, 5, -1,   0, 1",
    "A, 5, 1,    0, 0",
    "B, 5, -1,   0, 0",
    "B, 4, 1,    1, 0",
    "B, 3, 1,    1, 0",
    "A, 6, -1,   0, 0",
    // ten minutes of waiting are one step, which this job has: as urgent are these two, older first
    "B, 4, 500,  0, 0",
    "B, 6, -301, 1, 0",
    "B, 7, -301, 0, 0"
  })
  void aJobThatIsServedBefore(
      String customer, int priority, long seconds, int moreUrgent, int ofCustomer) {
    enter(customer, priority, seconds);
    PoolPlace place = place("{}");
    assertThat(place.moreUrgent()).isEqualTo(new Jobs(moreUrgent, false));
    assertThat(place.ofCustomer()).isEqualTo(new Jobs(ofCustomer, false));
  }

  @Test
  void aJobThatThePoolHasChosenDoesNotWaitBeforeOthers() {
    Job urgent = enter("B", 0, 1);
    Job older = enter("A", 5, -1);
    assertThat(place("{}").moreUrgent().jobs()).isOne();
    choose(urgent, older);
    PoolPlace place = place("{}");
    assertThat(place.moreUrgent().jobs()).isZero();
    assertThat(place.ofCustomer().jobs()).isZero();
    assertThat(place.isChosen()).isFalse();
  }

  @Test
  void theJobItselfCanBeChosen() {
    choose(OWN);
    assertThat(place("{\"maxInFlight\": {\"A\": 1}}").isChosen()).isTrue();
    assertThat(place("{\"maxInFlight\": {\"A\": 1}}").isAtLimit()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"A, 1, true", "A, 2, false", "default, 1, true", "B, 1, false"})
  void aCustomerWithOneJobInFlightIsAtItsLimit(String limited, int limit, boolean isAtLimit) {
    pools.put(List.of(PoolQueue.inFlight(PooledJobs.ready(99, "A", 5, NOON.minusSeconds(5)))));
    String document = "{\"maxInFlight\": {\"%s\": %d}}".formatted(limited, limit);
    assertThat(place(document).isAtLimit()).isEqualTo(isAtLimit);
  }

  @ParameterizedTest
  @CsvSource({"2, 0, false", "2, 1, false", "2, 2, true", "2, 3, true", "1, 1, true"})
  void aQueueIsFullAtItsDepth(int depth, int chosen, boolean isFull) {
    List<Job> jobs = Collections.nCopies(chosen, 0).stream().map(any -> enter("B", 5, 1)).toList();
    choose(jobs.toArray(Job[]::new));
    String document = "{\"queue\": \"encode\", \"depth\": %d}".formatted(depth);
    PoolPlace place = place(document);
    assertThat(place.visible()).isEqualTo(chosen);
    assertThat(place.isFull(PooledJobs.pool(document).pool())).isEqualTo(isFull);
    assertThat(place.isFull(PooledJobs.pool("{}").pool())).as("without a queue").isFalse();
  }

  // ---- when it is expected to be chosen

  /** Jobs of the customer that were chosen from 11:30 to noon, and from noon to 12:15. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // before, since noon, older, minutes
        "5,  4,  0, -",
        "5,  5,  0, 4.5",
        "0,  45, 0, -",
        "1,  9,  0, 4.5",
        "15, 30, 0, 1",
        "15, 30, 2, 3"
      })
  void theLatestPaceOfTheCustomerShowsWhen(
      int before, int present, int older, @Nullable Double minutes) {
    for (int i = 0; i < older; i++) {
      enter("A", 5, -1 - i);
    }
    serve(before, NOON.minusSeconds(60));
    serve(present, NOW);
    Instant expected = minutes == null ? null : NOW.plusSeconds(Math.round(minutes * 60));
    assertThat(place("{}").expected()).isEqualTo(expected);
  }

  @Test
  void aPausedPoolAndAMoreUrgentJobLeaveNoExpectation() {
    serve(30, NOON.minusSeconds(60));
    assertThat(place("{}").expected()).isNotNull();
    assertThat(place("{\"paused\": true, \"reason\": \"repair\"}").expected()).isNull();
    enter("B", 0, 1);
    assertThat(place("{}").expected()).isNull();
  }

  private void serve(int jobs, Instant at) {
    PoolState stored = pools.state(ID).orElseGet(() -> PoolState.begin(ID));
    ReadyJob job = PoolQueue.row(OWN, Pool.Order.FAIR);
    PoolState next =
        stored.next(Map.of(), List.of(), 0).serving(Collections.nCopies(jobs, job), at);
    assertThat(pools.update(stored, next)).isTrue();
  }

  @Test
  void thePlannedChoiceIsShownUntilItIsPast() {
    pools.planChoice(ID, NOW);
    assertThat(place("{}").nextChoice()).isEqualTo(NOW);
    Instant later = NOW.plus(Duration.ofMillis(1));
    assertThat(PoolPlace.read(pools, PooledJobs.pool("{}"), OWN, later).nextChoice()).isNull();
  }
}
