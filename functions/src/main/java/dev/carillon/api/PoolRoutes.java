package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolStatus;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import dev.carillon.report.PoolWakeups;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Schedules;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates, replaces, reads, lists and deletes pools. */
final class PoolRoutes {

  private static final int PAGE = 1_000;

  private final Pools pools;
  private final Schedules schedules;
  private final AllowedQueues queues;
  private final PoolWakeups wakeups;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  PoolRoutes(
      Pools pools,
      Schedules schedules,
      AllowedQueues queues,
      PoolWakeups wakeups,
      OptimisticUpdate updates,
      InstantSource clock) {
    this.pools = pools;
    this.schedules = schedules;
    this.queues = queues;
    this.wakeups = wakeups;
    this.updates = updates;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent get(Call call) {
    PoolId id = call.poolId();
    StoredPool stored = required(pools.find(List.of(id)).get(id), id);
    PoolStatus status = PoolStatus.read(pools, stored, now());
    return answer(200, stored, PoolView.of(stored, status));
  }

  APIGatewayProxyResponseEvent put(Call call) {
    PoolId id = call.poolId();
    if (id.name().equals(Schedule.MATCHING_POOL)) {
      throw Problem.invalid(
          "/path/pool",
          "\"match\" as the pool of a schedule means the first pool whose pattern matches; choose another name");
    }
    boolean isDryRun = call.isDryRun();
    Pool wanted = read(call, id.namespace());
    Conditions conditions = Conditions.of(call);
    if (isDryRun) {
      NamedItem<StoredPool> found = found(id);
      conditions.check("pool", found.etag());
      refuseMorePatterns(id, wanted);
      return answer(found.etag() == null ? 201 : 200, next(id, found.item(), wanted, call));
    }
    if (wanted.queue() != null) {
      queues.prepare(wanted.queue());
    }
    APIGatewayProxyResponseEvent answer = put(call, id, wanted, conditions);
    // This is done after a repeated PUT too, because the first PUT may have failed before this
    // step.
    chooseAgain(id);
    return answer;
  }

  private APIGatewayProxyResponseEvent put(
      Call call, PoolId id, Pool wanted, Conditions conditions) {
    return updates.run(
        "the pool " + id.name(),
        () -> {
          NamedItem<StoredPool> found = found(id);
          conditions.check("pool", found.etag());
          refuseMorePatterns(id, wanted);
          if (found.isUnreadable()) {
            StoredPool next = StoredPool.created(id, wanted, now(), call.caller());
            return Attempt.of(orderAgain(id) && pools.overwrite(next), answer(200, next));
          }
          return stored(found.item(), next(id, found.item(), wanted, call));
        });
  }

  private NamedItem<StoredPool> found(PoolId id) {
    return NamedItem.of(() -> pools.find(List.of(id)).get(id), StoredPool::version);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /**
   * The pool after the change. If the wanted definition equals the stored one, this is the stored
   * pool.
   */
  private StoredPool next(PoolId id, @Nullable StoredPool stored, Pool wanted, Call call) {
    if (stored == null) {
      return StoredPool.created(id, wanted, now(), call.caller());
    }
    boolean isEqual = stored.pool().document().equals(wanted.document());
    return isEqual ? stored : stored.changed(wanted, now(), call.caller());
  }

  private Attempt<APIGatewayProxyResponseEvent> stored(
      @Nullable StoredPool stored, StoredPool next) {
    if (next.equals(stored)) {
      return Attempt.done(answer(200, next));
    }
    boolean isOrdered =
        stored == null ? isUnused(next.id()) : stored.pool().order() == next.pool().order();
    return Attempt.of(
        (isOrdered || orderAgain(next.id())) && pools.save(stored, next),
        answer(stored == null ? 201 : 200, next));
  }

  /** Whether no pool with the id has chosen a job yet, and no job waits in it. */
  private boolean isUnused(PoolId id) {
    try {
      return pools.state(id).isEmpty()
          && pools.rows(id, PoolRow.READY, PoolRow.after(PoolRow.READY), 1).isEmpty();
    } catch (UnreadableItems state) {
      return false;
    }
  }

  /**
   * Makes the next choice store the waiting jobs again, by the order of the pool. This is needed
   * even if a caller changes the order and changes it back before that choice. The jobs that
   * entered in between are stored by the other order, but the state names only the order of the
   * last choice.
   *
   * @return false if another invocation has changed the state meanwhile
   */
  private boolean orderAgain(PoolId id) {
    try {
      PoolState state = pools.state(id).orElseGet(() -> PoolState.begin(id));
      return pools.update(state, state.ordering(PoolRow.READY));
    } catch (UnreadableItems unreadable) {
      // The stand-in makes the next choice do the same.
      return pools.repair(id, now());
    }
  }

  private Pool read(Call call, String namespace) {
    JsonNode document = call.body(Bounds.MOST_BYTES);
    List<Fault> faults = new ArrayList<>();
    Pool read = null;
    try {
      read = PoolReader.read(document);
    } catch (InvalidDocument invalid) {
      faults.addAll(invalid.faults());
    }
    queues
        .fault(namespace, document.path("queue"), "/queue")
        .filter(fault -> faults.stream().noneMatch(it -> it.pointer().equals(fault.pointer())))
        .ifPresent(faults::add);
    if (read == null || !faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return read;
  }

  APIGatewayProxyResponseEvent delete(Call call) {
    PoolId id = call.poolId();
    Conditions conditions = Conditions.of(call);
    updates.untilStored(
        "the pool " + id.name(),
        () -> {
          NamedItem<StoredPool> found = found(id);
          StoredPool stored =
              found.isUnreadable() ? placeholder(id, call) : required(found.item(), id);
          conditions.check("pool", found.etag());
          refuseWhileUsed(id);
          return (!found.isUnreadable() || pools.overwrite(stored)) && pools.delete(stored);
        });
    chooseAgain(id);
    return Answer.empty(204);
  }

  /**
   * Makes the pool choose again. First replaces its state and its activity if they cannot be read.
   */
  private void chooseAgain(PoolId id) {
    updates.untilStored("the pool " + id.name(), () -> pools.repair(id, now()));
    wakeups.choose(id);
  }

  /** A stand-in for an unreadable pool, because only a known version can be deleted. */
  private StoredPool placeholder(PoolId id, Call call) {
    return StoredPool.created(id, PoolReader.read(Json.object()), now(), call.caller());
  }

  private void refuseWhileUsed(PoolId id) {
    Set<ScheduleId> users = schedules.withEventKey(id.namespace(), Schedule.poolKey(id.name()));
    if (!users.isEmpty()) {
      throw Problem.conflict(
          "the pool %s is still in use; remove it from: %s"
              .formatted(id.name(), Listing.firstNames(users)));
    }
  }

  /** A job with {@code "pool": "match"} is compared with each of the patterns. */
  private void refuseMorePatterns(PoolId id, Pool wanted) {
    if (wanted.match() == null) {
      return;
    }
    int others = 0;
    String next = null;
    do {
      Page<StoredPool> page = pools.list(id.namespace(), PAGE, next);
      for (StoredPool other : page.items()) {
        others += other.pool().match() != null && !other.id().equals(id) ? 1 : 0;
      }
      next = page.next();
    } while (next != null);
    if (others >= PoolReader.MOST_MATCHING) {
      throw Problem.invalid(
          List.of(
              new Fault(
                  "/match",
                  "%d pools of the namespace have a \"match\" already; name the pool in its schedules"
                      .formatted(others))));
    }
  }

  APIGatewayProxyResponseEvent list(Call call) {
    return Listing.ofNamespace(call, "pools", pools::list, PoolView::of);
  }

  private static StoredPool required(@Nullable StoredPool found, PoolId id) {
    if (found == null) {
      throw missing(id);
    }
    return found;
  }

  static Problem missing(PoolId id) {
    return Problem.notFound(
        "there is no pool %s in namespace %s".formatted(id.name(), id.namespace()));
  }

  private static APIGatewayProxyResponseEvent answer(int status, StoredPool stored) {
    return answer(status, stored, PoolView.of(stored));
  }

  private static APIGatewayProxyResponseEvent answer(
      int status, StoredPool stored, ObjectNode view) {
    return Answer.of(status, view, Map.of("ETag", Conditions.etag(stored.version())));
  }
}
