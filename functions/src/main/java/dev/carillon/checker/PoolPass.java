package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.pool.LeavingJobs;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolQueue.Chosen;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import dev.carillon.pool.Taker;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Fills the queue of a pool. The choice is stored before its jobs are moved, and only if no other
 * invocation has chosen meanwhile. A chosen job keeps its turn until it has left the pool. So if a
 * pass is interrupted, the next pass continues it.
 */
final class PoolPass {

  /** The most jobs of one choice. */
  private static final int MOST_JOBS = 25;

  private static final int PAGE = 100;

  /**
   * How many choices of one pass can end without a job because they examined only some of the
   * customers.
   */
  private static final int MOST_CUT_SHORT = 20;

  private final CheckServices services;
  private final Pools pools;
  private final PoolId id;
  private final PoolRest rest;
  private final Map<Subject, Instant> followUps = new LinkedHashMap<>();

  /** The jobs that wait in the pool and cannot be sent now. */
  private final Set<JobId> held = new HashSet<>();

  private int choicesCutShort;

  PoolPass(CheckServices services, PoolId id) {
    this.services = services;
    this.pools = services.shared().pools();
    this.id = id;
    this.rest = new PoolRest(pools, services.shared().jobs());
  }

  /**
   * The wake-ups to send before the message is acknowledged, for the case that {@link #run} failed.
   */
  Map<Subject, Instant> followUps() {
    return followUps;
  }

  /** The result of a step. */
  private enum Progress {
    /** Jobs were chosen, or outdated rows were removed; another step can do more. */
    CONTINUES,
    /** The time was too short. */
    IS_LATE,
    /** No job can be chosen now. */
    ENDS
  }

  /** Fills the queue, and returns the wake-ups to send before the message is acknowledged. */
  Map<Subject, Instant> run(Deadline deadline) {
    // The activity is read only once. A claim that comes later plans another choice, and that
    // choice fills the room that the claim makes.
    PoolActivity activity = pools.activity(id);
    Progress progress = Progress.CONTINUES;
    while (progress == Progress.CONTINUES) {
      progress = services.shared().updates().run(id, () -> step(activity, deadline));
    }
    if (progress == Progress.IS_LATE) {
      followUps.put(id, services.clock().instant().plus(Pools.PAUSE));
    }
    return followUps;
  }

  /** One step of the pass. It is a lost race if another invocation has chosen meanwhile. */
  private Attempt<Progress> step(PoolActivity activity, Deadline deadline) {
    if (deadline.hasPassed()) {
      return Attempt.done(Progress.IS_LATE);
    }
    StoredPool stored = pools.find(List.of(id)).get(id);
    if (stored == null) {
      checkAll(deadline);
      pools.rest(activity);
      return Attempt.done(Progress.ENDS);
    }
    Pool pool = stored.pool();
    PoolState state = state();
    // A paused pool is put in order too: new jobs enter it in the new order, so the stored jobs
    // must have that order as well.
    if (!state.isOrderedBy(pool.order())) {
      return new PoolOrder(services.shared(), pool, state, services.clock().instant())
          .store(deadline)
          .map(isStored -> isStored ? Progress.CONTINUES : Progress.IS_LATE);
    }
    LeavingJobs leaving = LeavingJobs.read(state, services.shared().jobs());
    // Also while the pool moves nothing: a pull leases a job whose request it cannot render.
    checkLeased(leaving.leased());
    return pool.moves()
        ? choose(pool, state, leaving, activity, deadline)
        : ended(pool, state, leaving, activity, deadline);
  }

  private PoolState state() {
    return pools.state(id).orElseGet(() -> PoolState.begin(id));
  }

  /**
   * Plans a check of each job that waits in a deleted pool. No choice finds a job whose schedule
   * was changed, so only this check ends such a job. The other jobs wait until the pool is created
   * again.
   */
  private void checkAll(Deadline deadline) {
    RowPages pages = RowPages.of(pools, id, PoolRow.READY, PAGE);
    while (pages.hasNext() && !deadline.hasPassed()) {
      List<JobId> jobs = new ArrayList<>();
      for (PoolRow row : pages.next()) {
        if (row instanceof ReadyJob ready) {
          jobs.add(ready.job());
        }
      }
      Instant now = services.clock().instant();
      if (!jobs.isEmpty()) {
        services.shared().checks().send(Check.of(now, jobs), now);
      }
    }
  }

  private Attempt<Progress> choose(
      Pool pool, PoolState stored, LeavingJobs leaving, PoolActivity activity, Deadline deadline) {
    Instant now = services.clock().instant();
    new PoolQueue(pools).remove(pool, leaving);
    int free = pool.free(leaving, activity);
    List<Leaving> again = again(leaving, free, now);
    free -= (int) again.stream().filter(Leaving::isPulled).count();
    int most = Math.min(Math.min(free, MOST_JOBS), leaving.room());
    Taker taker = new Taker(false, leaving.newlyMoved(), now.plus(PoolQueue.HOLD));
    Chosen chosen = new PoolQueue(pools).choose(pool, leaving.state(), most, held, taker, now);
    if (!chosen.jobs().isEmpty() || !again.isEmpty()) {
      return take(pool, stored, chosen, again, deadline);
    }
    if (most <= 0 && leaving.state().isToBeCounted(now)) {
      OptionalLong messages = services.sender().waiting(Objects.requireNonNull(pool.queue()));
      if (messages.isPresent()) {
        return counted(stored, leaving, activity, messages.getAsLong());
      }
    }
    boolean isChanged = chosen.isCutShort() || !leaving.rows().isEmpty();
    if (isChanged && !pools.update(stored, chosen.next())) {
      return Attempt.lostRace();
    }
    boolean hasEnded =
        !chosen.isCutShort()
            || ++choicesCutShort > MOST_CUT_SHORT
            || !rest.isWaiting(id, stored.leavingJobs());
    return hasEnded
        ? ended(pool, stored, leaving, activity, deadline)
        : Attempt.done(Progress.CONTINUES);
  }

  /**
   * Corrects the number of messages in the queue of a pool that seems to be full. The number can be
   * wrong, because a function can crash after a claim before it has counted it, and because
   * messages can be removed from the queue without a claim.
   */
  private Attempt<Progress> counted(
      PoolState stored, LeavingJobs leaving, PoolActivity activity, long messages) {
    Instant now = services.clock().instant();
    PoolState counted = leaving.state().counted(activity.claimed(), messages, now);
    return Attempt.of(pools.update(stored, counted), Progress.CONTINUES);
  }

  /**
   * Plans checks for the end of leases. If the checker that sends a job crashes, such a check makes
   * another checker send it.
   */
  private void checkLeased(List<Job> leased) {
    leased.forEach(job -> followUps.put(job.id(), Objects.requireNonNull(job.launchingUntil())));
  }

  /** The jobs of earlier choices that still wait and that this pass takes out of the pool. */
  private List<Leaving> again(LeavingJobs leaving, int free, Instant now) {
    List<Leaving> again = new ArrayList<>();
    int left = free;
    for (Leaving one : leaving.ready()) {
      if (one.until().isAfter(now)) {
        followUps.merge(id, one.until(), PoolPass::earlier);
      } else if (!held.contains(one.job().job()) && (left > 0 || !one.isPulled())) {
        left -= one.isPulled() ? 1 : 0;
        again.add(one);
      }
    }
    return again;
  }

  private Attempt<Progress> take(
      Pool pool, PoolState stored, Chosen chosen, List<Leaving> again, Deadline deadline) {
    List<ReadyJob> rows = new ArrayList<>(again.stream().map(Leaving::job).toList());
    rows.addAll(chosen.jobs());
    CheckPass pass = CheckPass.ofJobs(services, rows.stream().map(ReadyJob::job).toList());
    PoolMoves moves = pass.pooled().movesOf(id, pool, rows, deadline);
    held.addAll(moves.held());
    checkLeased(moves.leased());
    if (!moves.isComplete()) {
      finish(pass);
      pools.remove(moves.outdated());
      return Attempt.done(Progress.CONTINUES);
    }
    Instant until = pass.now().plus(PoolQueue.HOLD);
    PoolState next = chosen.next().taking(again, false, until).movingAt(pass.now());
    if (!new PoolQueue(pools).store(pool, stored, chosen, again, next)) {
      return Attempt.lostRace();
    }
    pass.pooled().takeOut(moves.free());
    finish(pass);
    return Attempt.done(Progress.CONTINUES);
  }

  private void finish(CheckPass pass) {
    pass.send();
    pass.rethrow();
    // The next pass decides on the unreadable jobs again, and the master makes one each minute as
    // long as jobs wait. If each pass added checks of these jobs, their number would grow.
    pass.followUps()
        .ofReadable()
        .forEach((subject, at) -> followUps.merge(subject, at, PoolPass::earlier));
  }

  /** Ends the pass: the pool rests, or its waiting jobs are counted. */
  private Attempt<Progress> ended(
      Pool pool, PoolState state, LeavingJobs leaving, PoolActivity activity, Deadline deadline) {
    Instant now = services.clock().instant();
    OutdatedFlights outdated = new OutdatedFlights(pools, services.shared().jobs(), id, pool);
    if (!rest.end(state, leaving, activity, outdated, deadline, now)) {
      // A choice that was planned since `now` can have run already.
      Instant present = services.presentFrom(now);
      pools.planChoice(id, present).ifPresent(at -> followUps.merge(id, at, PoolPass::earlier));
    }
    checkLeased(outdated.leased());
    return Attempt.done(Progress.ENDS);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
