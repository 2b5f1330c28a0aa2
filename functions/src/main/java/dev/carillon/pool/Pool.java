package dev.carillon.pool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.trigger.EventPattern;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a pool.
 *
 * @param queue the queue that the pool fills, as the caller wrote it; null for a pool whose jobs
 *     are only pulled
 * @param depth how many jobs wait in the queue for a worker; 0 without a queue
 * @param order how the next job is chosen
 * @param weights the weights that differ from 1, by customer
 * @param limits how many jobs of a customer may be in flight at once, that is, moved or pulled and
 *     unfinished; {@link #OTHERS} for each customer that is not named; a customer without an entry
 *     has no limit
 * @param match the pattern of the jobs that this pool takes although their schedules do not name
 *     it; null for none
 * @param paused why the pool moves no jobs; null if it moves jobs
 * @param document the document, with all defaults
 */
public record Pool(
    @Nullable String queue,
    int depth,
    Order order,
    Map<String, Double> weights,
    Map<String, Integer> limits,
    @Nullable EventPattern match,
    @Nullable String paused,
    ObjectNode document) {

  /** The name in {@code maxInFlight} for each customer that is not named. */
  public static final String OTHERS = "default";

  /** How a pool chooses among jobs of one priority. */
  public enum Order {
    /** Fair shares among customers. */
    FAIR,
    /** The oldest first, whatever its customer. */
    FIFO
  }

  /** Whether the pool moves jobs into a queue now. */
  public boolean moves() {
    return queue != null && paused == null;
  }

  /** How many jobs its queue has room for. */
  public int free(LeavingJobs leaving, PoolActivity activity) {
    return (int) Math.max(0, depth - leaving.visible(activity));
  }

  /** How many jobs of a customer may be in flight at once; null for no limit. */
  public @Nullable Integer limit(String customer) {
    return limits.containsKey(customer) ? limits.get(customer) : limits.get(OTHERS);
  }
}
