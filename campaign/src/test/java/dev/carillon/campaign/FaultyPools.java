package dev.carillon.campaign;

import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.id.PoolId;
import dev.carillon.launch.TargetQueues;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Functions that mistake what waits in pools. */
final class FaultyPools {

  private static final int MANY = 1_000;

  private FaultyPools() {}

  /** Rows of a kind are not stored. */
  static Pools withoutPut(Pools real, Predicate<PoolRow> lost) {
    return Around.of(Pools.class, real)
        .replace("put", arguments -> put(real, kept(arguments[0], lost)))
        .port();
  }

  /** Rows of a kind are not removed. */
  static Pools withoutRemoval(Pools real, Predicate<PoolRow> lasting) {
    return Around.of(Pools.class, real)
        .replace(
            "remove",
            arguments -> {
              real.remove(kept(arguments[0], lasting));
              return null;
            })
        .port();
  }

  @SuppressWarnings("unchecked")
  private static List<PoolRow> kept(Object rows, Predicate<PoolRow> without) {
    return ((Collection<PoolRow>) rows).stream().filter(without.negate()).toList();
  }

  private static Object put(Pools real, Collection<? extends PoolRow> rows) {
    real.put(rows);
    return rows;
  }

  static boolean isFlight(PoolRow row) {
    return row instanceof InFlight;
  }

  /** A claim ends what its customer has in flight. */
  static Pools landingAtClaims(Pools real) {
    return Around.of(Pools.class, real)
        .before(
            "claimed",
            arguments -> {
              PoolId pool = (PoolId) arguments[0];
              real.remove(real.rows(pool, PoolRow.FLIGHT, PoolRow.after(PoolRow.FLIGHT), MANY));
            })
        .port();
  }

  /** A choice is stored although another function has chosen meanwhile. */
  static Pools unconditional(Pools real) {
    return Around.of(Pools.class, real)
        .replace(
            "update",
            arguments -> {
              PoolState before = (PoolState) arguments[0];
              PoolState after = (PoolState) arguments[1];
              long version = real.state(before.pool()).map(PoolState::version).orElse(0L);
              return real.update(ofVersion(before, version), ofVersion(after, version + 1));
            })
        .port();
  }

  private static PoolState ofVersion(PoolState state, long version) {
    return new PoolState(
        state.pool(),
        version,
        state.order(),
        state.turns(),
        state.leaving(),
        state.moved(),
        state.movedAt(),
        state.served(),
        state.orderedUpTo());
  }

  /** The next choice begins with the turns of the one before. */
  static Pools repeatingTurns(Pools real) {
    return Around.of(Pools.class, real)
        .replace(
            "update",
            arguments -> {
              PoolState before = (PoolState) arguments[0];
              PoolState after = (PoolState) arguments[1];
              return real.update(
                  before,
                  new PoolState(
                      after.pool(),
                      after.version(),
                      after.order(),
                      before.turns(),
                      after.leaving(),
                      after.moved(),
                      after.movedAt(),
                      after.served(),
                      after.orderedUpTo()));
            })
        .port();
  }

  /** The rows of the chosen jobs are removed, and the choice forgets them. */
  static Pools forgettingTurns(Pools real) {
    return Around.of(Pools.class, real)
        .replace(
            "update",
            arguments -> {
              PoolState before = (PoolState) arguments[0];
              PoolState after = (PoolState) arguments[1];
              PoolState without =
                  new PoolState(
                      after.pool(),
                      after.version(),
                      after.order(),
                      after.turns(),
                      List.of(),
                      after.moved() + after.leaving().size(),
                      after.movedAt(),
                      after.served(),
                      after.orderedUpTo());
              boolean isStored = real.update(before, without);
              if (isStored) {
                real.remove(after.leaving().stream().map(PoolState.Leaving::job).toList());
              }
              return isStored;
            })
        .port();
  }

  /** Jobs are put into the pool once; a repeated check does not put them again. */
  static final class EnteringOnce implements Tampering {
    private final Set<String> tried = new HashSet<>();

    @Override
    public Pools pools(FunctionName function, Pools real) {
      return Around.of(Pools.class, real)
          .replace(
              "put",
              arguments ->
                  put(
                      real,
                      kept(arguments[0], row -> row instanceof ReadyJob && !tried.add(row.key()))))
          .port();
    }
  }

  /** A change of the order removes the rows of the order before, and stores none. */
  static final class LosingRows implements Tampering {
    private final Map<Object, ReadyJob> known = new HashMap<>();

    @Override
    public Pools pools(FunctionName function, Pools real) {
      return Around.of(Pools.class, real)
          .replace("put", arguments -> put(real, kept(arguments[0], this::isMoved)))
          .port();
    }

    /** Whether a job has another place already. */
    private boolean isMoved(PoolRow row) {
      if (!(row instanceof ReadyJob job)) {
        return false;
      }
      ReadyJob before = known.putIfAbsent(List.of(job.job(), job.since()), job);
      return before != null && !before.key().equals(job.key());
    }
  }

  /** Claims are not counted, and neither are the messages. */
  static final class NothingCounted implements Tampering {
    @Override
    public Pools pools(FunctionName function, Pools real) {
      return Around.of(Pools.class, real)
          .replace("claimed", arguments -> real.activity((PoolId) arguments[0]))
          .port();
    }

    @Override
    public TargetQueues targets(FunctionName function, TargetQueues real) {
      return Around.of(TargetQueues.class, real)
          .replace("waiting", arguments -> OptionalLong.empty())
          .port();
    }
  }

  /** Each claim counts as two jobs that have left the queue. */
  static Pools countingTwice(Pools real) {
    return Around.of(Pools.class, real)
        .replace(
            "claimed", arguments -> real.claimed((PoolId) arguments[0], 2 * (Integer) arguments[1]))
        .port();
  }

  /** A choice is planned without its entry in the attention index and without a message. */
  static Pools withoutPlans(Pools real) {
    return Around.of(Pools.class, real).replace("planChoice", arguments -> Optional.empty()).port();
  }

  /** Definitions that differ from the stored ones. */
  static Pools defining(Pools real, UnaryOperator<Pool> changed) {
    return Around.of(Pools.class, real)
        .<Map<PoolId, StoredPool>>after(
            "find",
            found -> {
              Map<PoolId, StoredPool> others = new HashMap<>();
              found.forEach((id, stored) -> others.put(id, with(stored, changed)));
              return others;
            })
        .port();
  }

  private static StoredPool with(StoredPool stored, UnaryOperator<Pool> changed) {
    return new StoredPool(
        stored.id(),
        stored.version(),
        changed.apply(stored.pool()),
        stored.createdAt(),
        stored.createdBy(),
        stored.changedAt(),
        stored.changedBy());
  }

  static Pool neverPaused(Pool pool) {
    return new Pool(
        pool.queue(),
        pool.depth(),
        pool.order(),
        pool.weights(),
        pool.limits(),
        pool.match(),
        null,
        pool.document());
  }
}
