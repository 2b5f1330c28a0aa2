package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.pool.ChosenCounts;
import dev.carillon.pool.ChosenCounts.Count;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolStatus;
import dev.carillon.pool.PoolStatus.Waiting;
import dev.carillon.pool.StoredPool;
import dev.carillon.time.Timestamps;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON forms of pools. */
final class PoolView {

  private static final int MOST_CUSTOMERS = 20;

  /** Shares are given with three digits. */
  private static final MathContext SHARE = new MathContext(3);

  private PoolView() {}

  /** The definition of a pool. */
  static ObjectNode of(StoredPool stored) {
    return Json.object()
        .put("namespace", stored.id().namespace())
        .put("name", stored.id().name())
        .put("etag", Conditions.etag(stored.version()))
        .put("createdAt", Timestamps.text(stored.createdAt()))
        .put("createdBy", stored.createdBy())
        .put("updatedAt", Timestamps.text(stored.changedAt()))
        .put("updatedBy", stored.changedBy())
        .set("pool", stored.pool().document());
  }

  /** The definition and the status. */
  static ObjectNode of(StoredPool stored, PoolStatus status) {
    return of(stored).set("status", status(stored.pool(), status));
  }

  private static ObjectNode status(Pool pool, PoolStatus status) {
    ObjectNode view = Json.object().put("depth", pool.queue() == null ? null : pool.depth());
    view.put("visible", Math.max(0, status.moved() - status.claimed()))
        .put("inFlight", status.inFlight())
        .put("moved", status.moved())
        .put("claimed", status.claimed())
        .put("nextChoiceAt", ScheduleView.text(status.nextChoice()))
        .put("oldestReadyAt", ScheduleView.text(status.waiting().oldest()));
    view.set("waiting", waiting(status.waiting()));
    addServed(view, status.served());
    return view;
  }

  private static void addServed(ObjectNode view, ChosenCounts served) {
    long others = served.others().sum();
    long all = others + served.byCustomer().values().stream().mapToLong(Count::sum).sum();
    view.put("servedSince", all == 0 ? null : Timestamps.text(served.since()));
    ArrayNode customers = view.putArray("servedLastHour");
    served.byCustomer().entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<String, Count> customer) -> customer.getValue().sum())
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(
            it -> {
              long jobs = it.getValue().sum();
              customers
                  .addObject()
                  .put("customer", shown(it.getKey()))
                  .put("jobs", jobs)
                  .put("share", BigDecimal.valueOf(jobs).divide(BigDecimal.valueOf(all), SHARE));
            });
    view.put("servedOthers", others);
  }

  private static ObjectNode waiting(Waiting waiting) {
    ObjectNode view =
        Json.object()
            .put("jobs", waiting.jobs())
            .put("isAtLeast", waiting.isAtLeast())
            .put("customers", waiting.byCustomer().size());
    view.set("byCustomer", customers(waiting.byCustomer()));
    return view;
  }

  /** The customers with the most jobs. */
  static ArrayNode customers(Map<String, Long> jobs) {
    ArrayNode customers = Json.object().arrayNode();
    jobs.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST_CUSTOMERS)
        .forEach(
            it ->
                customers
                    .addObject()
                    .put("customer", shown(it.getKey()))
                    .put("jobs", it.getValue()));
    return customers;
  }

  /** The name of a customer; null for jobs without one. */
  private static @Nullable String shown(String customer) {
    return customer.isEmpty() ? null : customer;
  }
}
