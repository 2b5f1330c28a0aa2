package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.pool.LeavingJobs;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolPull;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolQueue.Chosen;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import dev.carillon.pool.Taker;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Hands the next jobs of a pool to a worker that asks for them. The pool chooses them in the same
 * way as for a queue. The worker's claim of a job is stored before the worker gets the job.
 */
public final class PoolPulls {

  /** How long the record of a request is kept. With it, a repeated request gets the same jobs. */
  private static final Duration KEPT = Duration.ofMinutes(10);

  /** A call ends after this many choices that found no job that can leave now. */
  private static final int MOST_CHOICES = 10;

  private final Shared shared;
  private final Pools pools;
  private final PullClaims claims;
  private final InstantSource clock;

  public PoolPulls(Shared shared, Requests requests, InstantSource clock) {
    this.shared = shared;
    this.pools = shared.pools();
    this.claims = new PullClaims(shared, requests, clock);
    this.clock = clock;
  }

  /**
   * A request for the next jobs.
   *
   * @param count the most jobs that the request gets
   * @param id the same in each repetition of the request
   * @param isRepeatable whether the caller gave the id, and can repeat the request
   */
  public record Pull(PoolId pool, int count, String worker, String id, boolean isRepeatable) {}

  /**
   * A job that the worker has claimed.
   *
   * @param request the request that a queue would have got
   */
  public record Pulled(Job job, LaunchRequest request) {}

  /**
   * The next jobs, which the worker has claimed with this call; no jobs if nothing waits or the
   * pool is paused. The result is empty if there is no such pool.
   */
  public Optional<List<Pulled>> next(Pull pull, Deadline deadline) {
    StoredPool stored = pools.find(List.of(pull.pool())).get(pull.pool());
    if (stored == null) {
      return Optional.empty();
    }
    Optional<PoolPull> record =
        pull.isRepeatable() ? pools.pull(pull.pool(), pull.id()) : Optional.empty();
    if (record.isPresent()) {
      return Optional.of(repeated(stored.pool(), pull, record.get()));
    }
    return Optional.of(
        stored.pool().paused() == null ? choose(stored.pool(), pull, deadline) : List.of());
  }

  /**
   * The jobs of an earlier request with the same id: those that the worker still holds, and READY
   * ones that the earlier request chose but did not claim. READY jobs are left out while the pool
   * is paused, and after they have entered the pool again for a later attempt.
   */
  private List<Pulled> repeated(Pool pool, Pull pull, PoolPull record) {
    PulledJobs decided = claims.decided(pull, record.jobs());
    boolean isPaused = pool.paused() != null;
    List<Leaving> leaving =
        isPaused ? List.of() : pools.state(pull.pool()).map(PoolState::leaving).orElse(List.of());
    List<Leaving> chosen =
        leaving.stream()
            .filter(one -> one.isPulled() && record.jobs().contains(one.job().job()))
            .filter(one -> PoolQueue.isAt(one.job(), decided.jobs().get(one.job().job())))
            .toList();
    pools.put(PoolQueue.inFlight(pool, chosen));
    Set<JobId> ready = chosen.stream().map(one -> one.job().job()).collect(Collectors.toSet());
    List<JobId> own =
        record.jobs().stream()
            .filter(id -> ready.contains(id) || PullClaims.isHeld(pull, decided.jobs().get(id)))
            .toList();
    return claims.claim(pool, pull, decided, own);
  }

  /** Chooses until jobs are found, or until no job is left that can be chosen. */
  private List<Pulled> choose(Pool pool, Pull pull, Deadline deadline) {
    Set<JobId> held = new HashSet<>();
    Optional<List<Pulled>> pulled = Optional.empty();
    for (int choice = 0; choice < MOST_CHOICES && pulled.isEmpty(); choice++) {
      pulled =
          shared
              .updates()
              .run(
                  pull.pool(),
                  () ->
                      deadline.hasPassed()
                          ? Attempt.done(Optional.of(List.of()))
                          : choose(pool, pull, held, deadline));
    }
    return pulled.orElse(List.of());
  }

  /**
   * One choice; empty if another choice can find more. It is a lost race if another invocation has
   * chosen meanwhile.
   *
   * @param held receives jobs that cannot leave now
   */
  private Attempt<Optional<List<Pulled>>> choose(
      Pool pool, Pull pull, Set<JobId> held, Deadline deadline) {
    PoolState stored = pools.state(pull.pool()).orElseGet(() -> PoolState.begin(pull.pool()));
    Instant now = clock.instant();
    if (!stored.isOrderedBy(pool.order())) {
      return new PoolOrder(shared, pool, stored, now).store(deadline).map(any -> Optional.empty());
    }
    LeavingJobs leaving = LeavingJobs.read(stored, shared.jobs());
    PoolQueue queue = new PoolQueue(pools);
    queue.remove(pool, leaving);
    List<Leaving> again =
        leaving.ready().stream()
            .filter(one -> !one.until().isAfter(now) && !held.contains(one.job().job()))
            .toList();
    Instant until = now.plus(PoolQueue.HOLD);
    Taker taker = new Taker(true, leaving.newlyMoved(), until, again, leaving.room());
    Chosen chosen = queue.choose(pool, leaving.state(), pull.count(), held, taker, now);
    List<ReadyJob> rows = chosen.jobs();
    if (rows.isEmpty() && !chosen.isCutShort()) {
      return Attempt.done(Optional.of(List.of()));
    }
    PulledJobs decided = claims.decided(pull, rows.stream().map(ReadyJob::job).toList());
    if (!decided.settle(rows, held)) {
      return Attempt.done(Optional.empty());
    }
    PoolState next = chosen.next().taking(chosen.again(), true, until);
    if (!queue.store(pool, stored, chosen, chosen.again(), next)) {
      return Attempt.lostRace();
    }
    return Attempt.done(
        rows.isEmpty() ? Optional.empty() : Optional.of(recordAndClaim(pool, pull, decided, rows)));
  }

  /**
   * Records the jobs of the request and claims them. If two concurrent requests have the same id,
   * the first one that is recorded decides which jobs both get.
   */
  private List<Pulled> recordAndClaim(
      Pool pool, Pull pull, PulledJobs decided, List<ReadyJob> rows) {
    List<JobId> jobs = rows.stream().map(ReadyJob::job).toList();
    PoolPull record = new PoolPull(pull.pool(), pull.id(), jobs, clock.instant().plus(KEPT));
    if (!pull.isRepeatable() || pools.save(record)) {
      return claims.claim(pool, pull, decided, jobs);
    }
    return pools
        .pull(pull.pool(), pull.id())
        .map(first -> repeated(pool, pull, first))
        .orElse(List.of());
  }
}
