package dev.carillon.campaign.system;

import static java.util.Objects.requireNonNull;

import dev.carillon.campaign.scenario.DamagePlan.Item;
import dev.carillon.campaign.system.DamagedStores.Call;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store of pools in which the pool, its state or its activity cannot be read for a while. */
final class DamagedPools {

  private final DamagedItem item;

  DamagedPools(DamagedItem item) {
    this.item = item;
  }

  @Nullable Object answer(Pools real, String method, @Nullable Object[] arguments, Call call) {
    return switch (method) {
      case "find" -> {
        Set<?> pools = item.among(Item.POOL, (Collection<?>) requireNonNull(arguments[0]));
        if (!pools.isEmpty()) {
          throw unreadable(pools);
        }
        yield call.make(arguments);
      }
      case "list" -> {
        Page<?> page = (Page<?>) requireNonNull(call.make(arguments));
        yield new Page<>(
            page.items().stream()
                .map(StoredPool.class::cast)
                .filter(pool -> !item.is(Item.POOL, pool.id()))
                .toList(),
            page.next());
      }
      case "overwrite" -> {
        StoredPool after = (StoredPool) requireNonNull(arguments[0]);
        StoredPool stored = item.contents().pool();
        yield item.is(Item.POOL, after.id()) && item.replace(() -> real.save(stored, after));
      }
      case "state" -> unless(Item.POOL_STATE, arguments, call);
      case "activity", "claimed", "planChoice" -> unless(Item.POOL_ACTIVITY, arguments, call);
      case "repair" ->
          repaired(
              real, (PoolId) requireNonNull(arguments[0]), (Instant) requireNonNull(arguments[1]));
      default -> call.make(arguments);
    };
  }

  private @Nullable Object unless(Item kind, @Nullable Object[] arguments, Call call) {
    if (item.is(kind, arguments[0])) {
      throw unreadable(Set.of(requireNonNull(arguments[0])));
    }
    return call.make(arguments);
  }

  private static UnreadableItems unreadable(Set<?> keys) {
    return new UnreadableItems(keys, DamagedStores.cause());
  }

  /**
   * Repairs the pool: its activity is replaced by one without claims, and its next choice is
   * planned afterwards.
   */
  private boolean repaired(Pools real, PoolId pool, Instant now) {
    if (item.is(Item.POOL_ACTIVITY, pool)) {
      PoolActivity lost = requireNonNull(item.contents().poolActivity());
      return item.replace(() -> real.claimed(pool, (int) -lost.claimed()).claimed() == 0);
    }
    if (item.is(Item.POOL_STATE, pool)) {
      PoolState lost = requireNonNull(item.contents().poolState());
      PoolState standIn = PoolState.standIn(activity(pool), now);
      return item.replace(() -> real.update(lost, standIn));
    }
    return true;
  }

  private PoolActivity activity(PoolId pool) {
    return Optional.ofNullable(item.contents().poolActivity()).orElse(PoolActivity.none(pool));
  }
}
