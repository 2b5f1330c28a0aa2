package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Simulator;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.PoolFacts.Stay;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.system.PoolMessages;
import dev.carillon.campaign.system.PoolRecorder;
import dev.carillon.campaign.system.PulledClaims;
import dev.carillon.gate.Slots;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemoryPools;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.run.Place;
import dev.carillon.run.RunPolicy;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the recorder observes a job in a pool that loses its choice, or changes its order. */
class PoolRecorderTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final PoolId POOL = new PoolId("default", Scenario.POOL);

  private final MemoryJobs jobs = new MemoryJobs(1);
  private final MemoryGates gates = new MemoryGates(jobs, Slots.none(1));
  private final MemoryPools pools = gates.pools();
  private final PoolRecorder recorder =
      new PoolRecorder(
          jobs,
          pools,
          new PoolMessages(
              new Simulator(new Workers(), new SeededRandom(1), NOON.toEpochMilli()),
              new SeededRandom(1)),
          new PulledClaims(new MemorySchedules(new MemoryTimers(1), gates), new MemoryCalendars()));

  private void observe(Instant now) {
    recorder.observe(now.toEpochMilli(), now.toEpochMilli());
  }

  private Stay stay() {
    return recorder.facts(List.of(), List.of()).stays().get(0);
  }

  /** The job enters at noon, and is chosen a second later. */
  private Job chosen() {
    JobId id = JobId.ofFire(new ScheduleId("default", "s"), 1, NOON);
    Job due = NewJob.dueFire(id, 1, "p").tracked(RunPolicy.USUAL).withCustomerAndPriority("c", 5);
    Job ready = due.waitingIn(new Place(Scenario.POOL, NOON, false), null, NOON, null);
    jobs.insert(List.of(ready));
    ReadyJob row = PoolQueue.row(ready, Order.FAIR);
    pools.put(List.of(row));
    observe(NOON);
    PoolState begin = PoolState.begin(POOL);
    Leaving leaving = new Leaving(row, NOON.plusSeconds(3), false, 0);
    pools.update(begin, begin.ordered(Order.FAIR, List.of(leaving)));
    observe(NOON.plusSeconds(1));
    return ready;
  }

  private void loseState(Instant now) {
    PoolState lost = pools.state(POOL).orElseThrow();
    pools.update(lost, PoolState.standIn(pools.activity(POOL), now));
    observe(now);
  }

  private Job store(Job before, Job after, Instant now) {
    jobs.update(List.of(new Jobs.Update(before, after)));
    observe(now);
    return after;
  }

  @Test
  void aJobThatWasBeingSentWaitsForAnotherChoiceSinceItIsReadyAgain() {
    Job ready = chosen();
    Instant sent = NOON.plusSeconds(2);
    Job leased = store(ready, ready.launching(sent, sent.plusSeconds(15)), sent);
    loseState(NOON.plusSeconds(20));
    Instant refused = NOON.plusSeconds(60);
    store(leased, leased.waitingIn(ready.place(), null, refused, null), refused);
    PoolState replaced = pools.state(POOL).orElseThrow();
    pools.update(replaced, replaced.ordered(Order.FAIR, List.of()));
    observe(NOON.plusSeconds(70));

    assertThat(stay().chosen()).isGreaterThan(NOON.plusSeconds(70).toEpochMilli());
    assertThat(stay().entered()).isEqualTo(refused.toEpochMilli());
  }

  @Test
  void aJobWhoseChoiceIsLostWithTheStateWaitsForAnotherFromThenOn() {
    chosen();
    loseState(NOON.plusSeconds(20));

    assertThat(stay().chosen()).isGreaterThan(NOON.plusSeconds(20).toEpochMilli());
    assertThat(stay().entered()).isEqualTo(NOON.plusSeconds(20).toEpochMilli());
  }

  @Test
  void aJobThatAChoiceHasLeftOutWaitsSinceItEntered() {
    chosen();
    PoolState chosen = pools.state(POOL).orElseThrow();
    pools.update(chosen, chosen.next(chosen.turns(), List.of(), 0));
    observe(NOON.plusSeconds(20));

    assertThat(stay().chosen()).isGreaterThan(NOON.plusSeconds(20).toEpochMilli());
    assertThat(stay().entered()).isEqualTo(NOON.toEpochMilli());
  }

  @Test
  void aRowWithTheNameOfTheCustomerIsDatedByItsLastPut() {
    Job ready = chosen();
    ReadyJob named = PoolQueue.row(ready, Order.FAIR);
    pools.put(List.of(PoolQueue.row(ready, Order.FIFO)));
    pools.remove(List.of(named));
    observe(NOON.plusSeconds(20));
    assertThat(stay().named()).isEqualTo(NOON.toEpochMilli());

    pools.put(List.of(named));
    observe(NOON.plusSeconds(30));
    observe(NOON.plusSeconds(40));
    assertThat(stay().named()).isEqualTo(NOON.plusSeconds(30).toEpochMilli());
  }
}
