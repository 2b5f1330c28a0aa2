package dev.carillon.pool;

import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.pool.PoolQueue.Chosen;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState.Leaving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A pool whose jobs a test lets enter, choose and leave. */
final class PoolPlay {

  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final PoolId ID = new PoolId("default", "encode");

  final Pools pools = new MemoryGates(new MemoryJobs(1)).pools();
  private final PoolQueue queue = new PoolQueue(pools);
  private final Map<JobId, String> names = new LinkedHashMap<>();
  private final Map<JobId, ReadyJob> running = new LinkedHashMap<>();
  private final List<String> left = new ArrayList<>();
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private Pool pool = PoolReader.read(Json.object());
  private PoolState state = PoolState.begin(ID);
  Instant now = START;

  /** Replaces the pool's definition. */
  PoolPlay as(String document) {
    pool = PoolReader.read(Json.readObject(document));
    return this;
  }

  /** Jobs of a customer become ready, with the usual priority. */
  PoolPlay ready(String customer, int jobs) {
    return ready(customer, jobs, 5);
  }

  PoolPlay ready(String customer, int jobs, int priority) {
    List<ReadyJob> entering = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      int number = numbers.merge(customer, 1, Integer::sum);
      JobId id =
          JobId.ofFire(
              new ScheduleId("default", "s"), names.size() + 1, START.plusSeconds(names.size()));
      names.put(id, customer + number);
      entering.add(new ReadyJob(ID, priority, customer, now.plusMillis(names.size()), id));
    }
    queue.enter(entering, pool.weights().keySet());
    return this;
  }

  /** All waiting jobs have a second row, by the other order. */
  PoolPlay alsoByTime() {
    List<ReadyJob> rows =
        pools.rows(ID, PoolRow.READY, PoolRow.after(PoolRow.READY), 100).stream()
            .filter(ReadyJob.class::isInstance)
            .map(ReadyJob.class::cast)
            .map(row -> new ReadyJob(ID, row.priority(), "", row.since(), row.job()))
            .toList();
    queue.enter(rows, Set.of());
    return this;
  }

  /** Chooses jobs, which leave the pool at once; returns their names. */
  List<String> choose(int most) {
    return choose(most, job -> false);
  }

  /** Chooses jobs whose move fails: they stay in the pool. */
  List<String> fail(int most) {
    return choose(most, job -> true);
  }

  /** Chooses jobs, which leave the pool at once, except those whose move fails. */
  List<String> choose(int most, Predicate<String> fails) {
    Chosen chosen = begin(most);
    finish(chosen, fails);
    return names(chosen);
  }

  /** Chooses jobs, and stores the state but no row yet. */
  Chosen begin(int most) {
    Chosen chosen = decide(most);
    pools.update(state, chosen.next());
    state = chosen.next();
    return chosen;
  }

  /** Stores the rows of a choice; then its jobs leave the pool. */
  void finish(Chosen chosen) {
    finish(chosen, job -> false);
  }

  private void finish(Chosen chosen, Predicate<String> fails) {
    pools.remove(chosen.removed());
    pools.put(chosen.added());
    chosen.jobs().stream().filter(job -> !fails.test(names.get(job.job()))).forEach(this::leave);
  }

  List<String> names(Chosen chosen) {
    return chosen.jobs().stream().map(job -> names.get(job.job())).toList();
  }

  /** Moves the jobs whose move has failed. */
  void retry() {
    state.leaving().forEach(one -> leave(one.job()));
  }

  /** The jobs that left the pool, in their order. */
  List<String> left() {
    return left;
  }

  /** The turns of the usual priority. */
  Turns turns() {
    return state.turns(5);
  }

  Chosen decide(int most) {
    return queue.choose(
        pool, state, most, Set.of(), new Taker(false, 0, now.plus(PoolQueue.HOLD)), now);
  }

  private void leave(ReadyJob job) {
    running.put(job.job(), job);
    left.add(names.get(job.job()));
    List<Leaving> rest = state.leaving().stream().filter(one -> !one.job().equals(job)).toList();
    state =
        new PoolState(
            ID,
            state.version(),
            state.order(),
            state.turns(),
            rest,
            state.moved(),
            state.movedAt(),
            state.served(),
            state.orderedUpTo());
    queue.remove(pool, new LeavingJobs(List.of(), List.of(), List.of(job), 0, state));
  }

  ChosenCounts served() {
    return state.served();
  }

  /** The oldest running job of a customer ends. */
  void end(String customer) {
    ReadyJob ended =
        running.values().stream()
            .filter(job -> job.customer().equals(customer))
            .findFirst()
            .orElseThrow();
    running.remove(ended.job());
    pools.remove(List.of(new InFlight(ID, customer, ended.since(), ended.job())));
    queue.freed(pool, ID, customer);
  }

  long runningOf(String customer) {
    return running.values().stream().filter(job -> job.customer().equals(customer)).count();
  }

  /** Chooses one job at a time. */
  List<String> chooseEach(int times) {
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      chosen.addAll(choose(1));
    }
    return chosen;
  }
}
