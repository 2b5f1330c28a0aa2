package dev.carillon.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.decision.JobPools;
import dev.carillon.document.Json;
import dev.carillon.id.PoolId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.Requests;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pools of one pass or one explanation, read when they are needed. */
public final class PassPools implements JobPools {

  private final Pools pools;
  private final Requests requests;
  private final PoolPatterns patterns;
  private final Map<PoolId, Optional<StoredPool>> known = new HashMap<>();
  private final Map<String, List<StoredPool>> matching = new HashMap<>();

  public PassPools(Pools pools, Requests requests, PoolPatterns patterns) {
    this.pools = pools;
    this.requests = requests;
    this.patterns = patterns;
  }

  /** The queue of the job's pool; null if the job has no pool, or if its pool has no queue. */
  @Nullable String queueOf(Job job) {
    return known
        .computeIfAbsent(
            PoolQueue.pool(job), id -> Optional.ofNullable(pools.find(List.of(id)).get(id)))
        .map(stored -> stored.pool().queue())
        .orElse(null);
  }

  @Override
  public void requirePoolOf(Job job) {
    String unused = queueOf(job);
  }

  @Override
  public Found of(Compiled compiled, Job job) {
    return JobPools.named(compiled).orElseGet(() -> matching(compiled, job));
  }

  private Found matching(Compiled compiled, Job job) {
    Requests.Result result = requests.of(compiled, job);
    if (result instanceof Requests.Unsendable unsendable) {
      return new NoPool(Reason.of(ReasonCode.REQUEST_IMPOSSIBLE, unsendable.reason()));
    }
    JsonNode body = body(result);
    return matching.computeIfAbsent(job.id().schedule().namespace(), this::readMatching).stream()
        .filter(stored -> matches(stored, body))
        .<Found>map(stored -> new InPool(stored.id().name()))
        .findFirst()
        .orElseGet(() -> new NoPool(Reason.of(ReasonCode.POOL_MISSING)));
  }

  /**
   * Whether the pattern of a pool matches. If this version cannot compile the pattern, the pool
   * counts as unreadable, because the pattern may match.
   */
  private static boolean matches(StoredPool stored, JsonNode body) {
    try {
      return Objects.requireNonNull(stored.pool().match()).matches(body);
    } catch (IllegalArgumentException noPattern) {
      throw new UnreadableItems(Set.of(stored.id()), noPattern);
    }
  }

  /** The pools with a pattern, by name. */
  private List<StoredPool> readMatching(String namespace) {
    return pools.matching(namespace).stream().map(patterns::kept).toList();
  }

  private static JsonNode body(Requests.Result result) {
    try {
      return result instanceof Requests.Ready ready
          ? Json.read(ready.request().body())
          : MissingNode.getInstance();
    } catch (JsonProcessingException noJson) {
      return MissingNode.getInstance();
    }
  }
}
