package dev.carillon.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.master.ShardPlan.Shards;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemoryStatus;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardChangesTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant LATER = NOW.plus(ShardPlan.OVERLAP);

  private final MemoryStatus status = new MemoryStatus();
  private final MemoryTimers timers = new MemoryTimers(1);
  private final MemoryJobs jobs = new MemoryJobs(1);
  private final MemoryGates gates = new MemoryGates(jobs);

  /** The part of a master with these numbers of shards. */
  private ShardChanges configured(int timerShards, int attentionShards) {
    return on(status, timerShards, attentionShards);
  }

  private ShardChanges on(StatusStore port, int timerShards, int attentionShards) {
    jobs.configureAttentionShards(attentionShards);
    Timers ofMaster = timers.withShards(timerShards);
    return new ShardChanges(port, ofMaster, jobs, gates);
  }

  /** A tick's steps. */
  private Shards tick(int timerShards, int attentionShards, Instant now) {
    ShardChanges changes = configured(timerShards, attentionShards);
    ShardPlan plan = changes.plan(now);
    changes.shrink(plan, now);
    return plan.read();
  }

  private Shards stored() {
    return status.shards().orElseThrow().read();
  }

  private Timer timerIn(int shard, int shards) {
    for (int number = 0; ; number++) {
      Timer timer =
          Timer.ofSuspensionEnd(
              new ScheduleId("default", "s" + number), NOW.plus(Duration.ofDays(300)), 1, 1);
      timers.withShards(shards).put(List.of(timer));
      if (!timers.withShards(shards).isEmpty(shard)) {
        return timer.in(shard);
      }
      timers.withShards(shards).delete(List.of(timer));
    }
  }

  private Job jobIn(int shard, int shards) {
    jobs.configureAttentionShards(shards);
    for (int number = 0; ; number++) {
      ScheduleId id = new ScheduleId("default", "s" + number);
      Job waiting =
          NewJob.dueFire(JobId.ofFire(id, 1, NOW), 1, "p")
              .waitingUntil(
                  NOW.plusSeconds(90),
                  NOW.plusSeconds(90),
                  NOW,
                  Reason.of(ReasonCode.CONSTRAINTS_UNMET, "closed"));
      if (Math.floorMod(waiting.id().toString().hashCode(), shards) == shard) {
        jobs.insert(List.of(waiting));
        return waiting;
      }
    }
  }

  @Test
  void aHigherNumberIsReadAtOnce() {
    assertThat(tick(4, 4, NOW)).isEqualTo(new Shards(4, 4));
    assertThat(tick(6, 4, NOW.plusSeconds(60))).isEqualTo(new Shards(6, 4));
    assertThat(tick(6, 8, NOW.plusSeconds(120))).isEqualTo(new Shards(6, 8));
    assertThat(stored()).isEqualTo(new Shards(6, 8));
  }

  @Test
  void emptyShardsAreReadUntilNoFunctionCanWriteToThem() {
    tick(8, 8, NOW);
    assertThat(tick(2, 3, NOW)).isEqualTo(new Shards(8, 8));
    assertThat(tick(2, 3, LATER.minusMillis(1))).isEqualTo(new Shards(8, 8));
    assertThat(stored()).isEqualTo(new Shards(8, 8));
    tick(2, 3, LATER);
    assertThat(stored()).isEqualTo(new Shards(2, 3));
  }

  @Test
  void aTickOfAnEarlierVersionBeginsTheTimeAgain() {
    tick(8, 8, NOW);
    tick(2, 2, NOW.plusSeconds(60));
    tick(8, 8, NOW.plusSeconds(120));
    tick(2, 2, NOW.plusSeconds(180));
    tick(2, 2, LATER.plusSeconds(179));
    assertThat(stored()).isEqualTo(new Shards(8, 8));
    tick(2, 2, LATER.plusSeconds(180));
    assertThat(stored()).isEqualTo(new Shards(2, 2));
  }

  @Test
  void aShardIsReadAsLongAsItHasATimerHoweverLate() {
    tick(8, 8, NOW);
    Timer yearly = timerIn(5, 8);
    tick(2, 2, NOW);
    tick(2, 2, LATER);
    assertThat(stored()).isEqualTo(new Shards(6, 2));
    tick(2, 2, LATER.plus(Duration.ofDays(200)));
    assertThat(stored()).isEqualTo(new Shards(6, 2));

    timers.delete(List.of(yearly));
    tick(2, 2, LATER.plus(Duration.ofDays(300)));
    assertThat(stored()).isEqualTo(new Shards(2, 2));
  }

  @Test
  void aShardIsReadAsLongAsAJobNeedsAttentionThere() {
    tick(8, 8, NOW);
    Job waiting = jobIn(6, 8);
    tick(2, 2, NOW);
    tick(2, 2, LATER);
    assertThat(stored()).isEqualTo(new Shards(2, 7));

    // Any write moves it to a shard of the present number.
    jobs.configureAttentionShards(2);
    jobs.update(
        List.of(
            new Jobs.Update(
                waiting,
                waiting.waitingUntil(
                    NOW.plusSeconds(99),
                    NOW.plusSeconds(99),
                    NOW,
                    Reason.of(ReasonCode.CONSTRAINTS_UNMET, "closed")))));
    tick(2, 2, LATER.plusSeconds(60));
    assertThat(stored()).isEqualTo(new Shards(2, 2));
  }

  @Test
  void straysInShardsThatAreNotReadAreFoundInTheDaysAfterAChange() {
    tick(8, 8, NOW);
    tick(2, 2, NOW);
    tick(2, 2, LATER);
    ShardChanges changes = configured(2, 2);
    changes.findStrays(LATER);
    assertThat(stored()).isEqualTo(new Shards(2, 2));

    timerIn(9, 16);
    jobIn(3, 4);
    changes.findStrays(NOW.plus(ShardPlan.SEARCH));
    assertThat(stored()).isEqualTo(new Shards(2, 2));
    changes.findStrays(NOW.plus(ShardPlan.SEARCH).minusMillis(1));
    assertThat(stored()).isEqualTo(new Shards(10, 4));
    assertThat(tick(2, 2, LATER.plus(ShardPlan.SEARCH))).isEqualTo(new Shards(10, 4));
    assertThat(stored()).isEqualTo(new Shards(10, 4));
  }

  @Test
  void aStackWhoseNumbersNeverChangedLooksForNoStrays() {
    tick(2, 2, NOW);
    timerIn(9, 16);
    configured(2, 2).findStrays(NOW);
    assertThat(stored()).isEqualTo(new Shards(2, 2));
  }

  @Test
  void aTickWhosePlanIsOldStoresNothing() {
    ShardChanges old = configured(8, 8);
    ShardPlan plan = old.plan(NOW);
    ShardPlan lowered = configured(2, 2).plan(NOW);
    ShardChanges raised = configured(4, 8);
    raised.plan(LATER);
    configured(2, 2).shrink(lowered, LATER);
    old.shrink(plan, LATER);
    assertThat(stored()).isEqualTo(new Shards(8, 8));
    assertThat(status.shards().orElseThrow().configured()).isEqualTo(new Shards(4, 8));
  }

  @Test
  void ifTheShardsCannotBeReadAllAreReadUntilTheyAreFoundEmpty() {
    tick(8, 8, NOW);
    timerIn(7, 8);
    assertThat(on(unreadable(), 2, 2).plan(NOW).read()).isEqualTo(new Shards(16, 16));
    assertThat(stored()).isEqualTo(new Shards(16, 16));
    tick(2, 2, LATER.plusSeconds(60));
    assertThat(stored()).isEqualTo(new Shards(8, 2));
  }

  /** The shards cannot be read until others are stored in their place. */
  private StatusStore unreadable() {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("shards")) {
            throw new UnreadableItems(Set.of("shards"), new IllegalStateException("damaged"));
          }
          return status.saveShards(stored(status), (ShardPlan) arguments[1]);
        };
    Class<?>[] port = {StatusStore.class};
    return (StatusStore) Proxy.newProxyInstance(getClass().getClassLoader(), port, handler);
  }

  private static ShardPlan stored(StatusStore status) {
    return status.shards().orElseThrow();
  }

  /** A tick dies or fails before or after each write of the plan. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTickThatFailsAtItsWriteLeavesNoShardOut(boolean after) {
    StatusStore failing = failing(after);
    assertThat(on(failing, 8, 8).plan(NOW).read()).isEqualTo(new Shards(8, 8));
    timerIn(7, 8);
    tick(8, 8, NOW);
    assertThat(on(failing, 2, 2).plan(NOW).read()).isEqualTo(new Shards(8, 8));
    assertThat(tick(2, 2, NOW.plusSeconds(1))).isEqualTo(new Shards(8, 8));

    ShardChanges changes = on(failing, 2, 2);
    ShardPlan plan = status.shards().orElseThrow();
    assertThatCode(() -> changes.shrink(plan, LATER.plusSeconds(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(stored()).isEqualTo(after ? new Shards(8, 2) : new Shards(8, 8));
    tick(2, 2, LATER.plusSeconds(60));
    assertThat(stored()).isEqualTo(new Shards(8, 2));
  }

  private StatusStore failing(boolean after) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          boolean fails = method.getName().equals("saveShards");
          if (fails && !after) {
            throw new IllegalStateException("unavailable");
          }
          try {
            Object answer = method.invoke(status, arguments);
            if (fails) {
              throw new IllegalStateException("no answer");
            }
            return answer;
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        };
    return (StatusStore)
        Proxy.newProxyInstance(
            StatusStore.class.getClassLoader(), new Class<?>[] {StatusStore.class}, handler);
  }
}
