package dev.carillon.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.decision.JobPools;
import dev.carillon.document.Json;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.launch.Requests;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pools of one pass, read when they are needed. */
final class PassPools implements JobPools {

  private static final int PAGE = 100;

  private final Pools pools;
  private final Requests requests;
  private final Map<PoolId, Optional<StoredPool>> known = new HashMap<>();
  private final Map<String, List<StoredPool>> matching = new HashMap<>();

  PassPools(Pools pools, Requests requests) {
    this.pools = pools;
    this.requests = requests;
  }

  /** The queue of the job's pool; null if the job has no pool, or the pool no queue. */
  @Nullable String queueOf(Job job) {
    return known
        .computeIfAbsent(
            PoolQueue.pool(job), id -> Optional.ofNullable(pools.find(List.of(id)).get(id)))
        .map(stored -> stored.pool().queue())
        .orElse(null);
  }

  @Override
  public Optional<String> of(Compiled compiled, Job job) {
    return NAMED
        .of(compiled, job)
        .or(
            () -> {
              JsonNode body = body(compiled, job);
              return matching
                  .computeIfAbsent(job.id().schedule().namespace(), this::readMatching)
                  .stream()
                  .filter(stored -> Objects.requireNonNull(stored.pool().match()).matches(body))
                  .map(stored -> stored.id().name())
                  .findFirst();
            });
  }

  /** The pools with a pattern, by name. */
  private List<StoredPool> readMatching(String namespace) {
    List<StoredPool> found = new ArrayList<>();
    String next = null;
    do {
      Page<StoredPool> page = pools.list(namespace, PAGE, next);
      page.items().stream().filter(stored -> stored.pool().match() != null).forEach(found::add);
      next = page.next();
    } while (next != null);
    return found;
  }

  private JsonNode body(Compiled compiled, Job job) {
    try {
      return requests.of(compiled, job) instanceof Requests.Ready ready
          ? Json.read(ready.request().body())
          : MissingNode.getInstance();
    } catch (JsonProcessingException noJson) {
      return MissingNode.getInstance();
    }
  }
}
