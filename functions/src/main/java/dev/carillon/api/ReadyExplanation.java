package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.pool.Pool;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolPlace;
import dev.carillon.pool.PoolPlace.Jobs;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolTurn;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import dev.carillon.run.Place;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Explains the place of a job that waits READY in a pool, and what keeps the job there. */
final class ReadyExplanation {

  private static final String LEAVING = "the pool has chosen it, and it is about to leave";

  private final Job job;
  private final Place own;
  private final @Nullable Found found;

  private ReadyExplanation(Job job, @Nullable Found found) {
    this.job = job;
    this.own = Objects.requireNonNull(job.place());
    this.found = found;
  }

  /** The pool, if it exists, and the place of the job in it. */
  private record Found(Pool pool, PoolPlace place) {}

  /** What keeps the job in its pool, apart from the jobs before it. */
  private enum Stop {
    PAUSED,
    CUSTOMER_LIMIT,
    FULL
  }

  /** The explanation of a job; null if the job is not READY. */
  static @Nullable ReadyExplanation read(Pools pools, Job job, Instant now) {
    if (!job.isReady()) {
      return null;
    }
    PoolId id = PoolQueue.pool(job);
    StoredPool stored = pools.find(List.of(id)).get(id);
    Found found =
        stored == null ? null : new Found(stored.pool(), PoolPlace.read(pools, stored, job, now));
    return new ReadyExplanation(job, found);
  }

  String summary() {
    return "it has waited in the pool %s since %s: %s".formatted(own.pool(), since(), because());
  }

  /** The sentence that explains a job whose schedule is suspended. */
  String untilResumed() {
    return ("its schedule is suspended: it leaves the pool %s when it is its turn, and waits until"
            + " the schedule is resumed")
        .formatted(own.pool());
  }

  String because() {
    return found == null ? "there is no such pool" : because(found.pool(), found.place());
  }

  private String because(Pool pool, PoolPlace place) {
    Stop stop = stop(pool, place);
    Instant delayedUntil = job.notBefore();
    if (stop == null && delayedUntil != null && !job.isRefused()) {
      return job.lastReason() + "; it is checked again at " + ScheduleView.text(delayedUntil);
    }
    if (stop == null) {
      return pool.queue() == null ? untilPulled(place) : untilMoved(place);
    }
    return switch (stop) {
      case PAUSED -> "the pool is paused" + why(pool);
      case CUSTOMER_LIMIT ->
          "its customer is at its limit of jobs in flight: %d"
              .formatted(pool.limit(job.customer() == null ? "" : job.customer()));
      case FULL ->
          ("the queue of the pool is full; jobs that wait in it for a worker or are chosen for it:"
                  + " %d of at most %d")
              .formatted(place.visible(), pool.depth());
    };
  }

  /**
   * A job that was refused before stays chosen when its pool is only pulled from then on. It leaves
   * only with a pull.
   */
  private String untilPulled(PoolPlace place) {
    return place.isChosen() && job.refusals() == 0 ? LEAVING : "no worker has pulled it yet";
  }

  private String untilMoved(PoolPlace place) {
    if (job.isRefused()) {
      return "its move into the queue of the pool was refused: %s; it is moved again at %s"
          .formatted(job.lastReason(), ScheduleView.text(job.notBefore()));
    }
    return place.isChosen() ? LEAVING : "the pool has not chosen it yet";
  }

  private static String why(Pool pool) {
    return pool.paused() == null || pool.paused().isEmpty() ? "" : ": " + pool.paused();
  }

  private static @Nullable Stop stop(Pool pool, PoolPlace place) {
    if (pool.paused() != null) {
      return Stop.PAUSED;
    }
    if (place.isChosen()) {
      return null;
    }
    if (place.isAtLimit()) {
      return Stop.CUSTOMER_LIMIT;
    }
    return place.isFull(pool) ? Stop.FULL : null;
  }

  private @Nullable String stoppedBy() {
    if (found == null) {
      return "MISSING";
    }
    Stop stop = stop(found.pool(), found.place());
    return stop == null ? null : stop.name();
  }

  /**
   * The next choice of the pool, or an earlier check of the job; null if neither is planned. A
   * choice leaves out a refused job until the job is checked again.
   */
  @Nullable Instant nextCheck() {
    if (job.isRefused()) {
      return job.notBefore();
    }
    Instant choice = found == null ? null : found.place().nextChoice();
    Instant check = job.attentionAt();
    return choice == null || (check != null && check.isBefore(choice)) ? check : choice;
  }

  ObjectNode view() {
    PoolPlace place = found == null ? null : found.place();
    ObjectNode view =
        Json.object()
            .put("name", own.pool())
            .put("since", since())
            .put("customer", job.customer())
            .put("priority", job.priority())
            .put("rule", found == null ? null : rule(found.pool()))
            .put("stoppedBy", stoppedBy())
            .put("isChosen", place != null && place.isChosen());
    view.set("moreUrgent", place == null ? null : count(place.moreUrgent()));
    view.set("ofCustomer", place == null ? null : count(place.ofCustomer()));
    view.set("turn", place == null || place.turn() == null ? null : turn(place.turn()));
    return view.put("nextChoiceAt", place == null ? null : ScheduleView.text(place.nextChoice()))
        .put("expectedAt", place == null ? null : ScheduleView.text(place.expected()));
  }

  private static ObjectNode count(Jobs count) {
    return Json.object().put("jobs", count.jobs()).put("isAtLeast", count.isAtLeast());
  }

  private static ObjectNode turn(PoolTurn turn) {
    ObjectNode view = Json.object().put("number", turn.number()).put("isAtLeast", turn.isAtLeast());
    view.set("before", PoolView.customers(turn.before()));
    return view;
  }

  private static String rule(Pool pool) {
    String urgent =
        "the most urgent priority first, and each ten minutes of waiting count as one step; ";
    if (pool.order() == Order.FIFO) {
      return urgent + "of one priority the oldest job first";
    }
    return urgent
        + (pool.weights().isEmpty()
            ? "of one priority each customer in turn"
            : "of one priority the customers by their weights");
  }

  private String since() {
    return Timestamps.text(own.since());
  }
}
