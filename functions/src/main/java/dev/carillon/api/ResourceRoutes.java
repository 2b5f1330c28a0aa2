package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.constraint.Gauge;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.id.GateKey;
import dev.carillon.id.Page;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Gates;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.time.Timestamps;
import dev.carillon.wakeup.Wakeup;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores, reads, lists and deletes gauges of resources. A changed gauge triggers a check of the
 * jobs that wait for it.
 */
final class ResourceRoutes {

  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
  private static final Duration LONGEST_TTL = Duration.ofDays(366);
  private static final Logger LOG = LoggerFactory.getLogger(ResourceRoutes.class);

  private final Gates gates;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;
  private final GateRepairs repairs;

  ResourceRoutes(
      Gates gates,
      CheckQueue checks,
      OptimisticUpdate updates,
      GateRepairs repairs,
      InstantSource clock) {
    this.gates = gates;
    this.checks = checks;
    this.updates = updates;
    this.clock = clock;
    this.repairs = repairs;
  }

  /** A stored report, or the deletion of one. */
  private record Reported(Gate before, Gate after, Instant at) {}

  APIGatewayProxyResponseEvent get(Call call) {
    Gate gate = required(find(call.resource()));
    return Answer.of(200, view(gate, now()));
  }

  APIGatewayProxyResponseEvent put(Call call) {
    GateKey key = call.resource();
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("value", "ttl"));
    BigDecimal value = body.decimal("value", Gauge.MOST_DIGITS);
    Duration ttl = body.has("ttl") ? body.duration("ttl", SHORTEST_TTL, LONGEST_TTL) : null;
    Problem.refuse(faults);
    Reported reported =
        updates.run(
            key.shown(),
            () -> {
              Instant now = now();
              Instant end = ttl == null ? null : now.plus(ttl);
              Gauge gauge = new Gauge(value, end, now, call.caller());
              Gate before = readable(key).orElse(null);
              return before == null ? overwritten(key, gauge, now) : stored(before, gauge, now);
            });
    wake(reported);
    boolean isNew = reported.before().gauge() == null;
    return Answer.of(isNew ? 201 : 200, view(reported.after(), reported.at()));
  }

  APIGatewayProxyResponseEvent delete(Call call) {
    GateKey key = call.resource();
    wake(
        updates.run(
            key.shown(),
            () -> {
              Gate before = readable(key).orElse(null);
              return before == null
                  ? overwritten(key, null, now())
                  : stored(required(before), null, now());
            }));
    return Answer.empty(204);
  }

  /** Empty if the gate cannot be read. */
  private Optional<Gate> readable(GateKey key) {
    try {
      return Optional.of(find(key));
    } catch (UnreadableItems damaged) {
      return Optional.empty();
    }
  }

  /** Replaces a gate that cannot be read. The jobs that wait there are counted again. */
  private Attempt<Reported> overwritten(GateKey key, @Nullable Gauge gauge, Instant now) {
    Gate before = repairs.standIn(key, now);
    Gate after = before.reported(gauge, now).wokenBy(now);
    return Attempt.of(gates.overwrite(after), new Reported(before, after, now));
  }

  private Attempt<Reported> stored(Gate before, @Nullable Gauge gauge, Instant now) {
    Gate after = before.reported(gauge, now);
    return Attempt.of(gates.update(before, after), new Reported(before, after, now));
  }

  APIGatewayProxyResponseEvent list(Call call) {
    String namespace = call.namespace();
    Faults faults = new Faults();
    Fields query = call.query(faults);
    int limit = Listing.limit(query);
    String list = "resources " + namespace;
    String from = Cursor.open(query, list, Cursor::isName);
    Problem.refuse(faults);
    Page<Gate> page = gates.resources(namespace, limit, from);
    Instant now = now();
    List<ObjectNode> views = page.items().stream().map(gate -> view(gate, now)).toList();
    return Answer.of(200, Listing.page("resources", views, Cursor.seal(list, page.next())));
  }

  /**
   * Sends a check for the gate. If this fails, the master finds the gate in the attention index.
   */
  private void wake(Reported reported) {
    Gate after = reported.after();
    Instant now = reported.at();
    Instant wakeAt = after.wakeAt();
    boolean isDue = wakeAt != null && !wakeAt.isAfter(now);
    if (wakeAt == null || (!isDue && Objects.equals(reported.before().wakeAt(), wakeAt))) {
      return;
    }
    if (!Wakeup.plan(wakeAt, now).isInMessage()) {
      return;
    }
    try {
      checks.send(Check.of(wakeAt, List.of(after.key())), now);
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "no check could be sent for {}; the master sends it later", after.key(), unavailable);
    }
  }

  private Gate find(GateKey key) {
    return gates.find(List.of(key)).getOrDefault(key, Gate.unused(key));
  }

  private static Gate required(Gate gate) {
    if (gate.gauge() == null) {
      throw Problem.notFound(
          "the resource "
              + Faults.quoted(gate.key().name())
              + " has no reported value; report one with PUT");
    }
    return gate;
  }

  /** The JSON form of a resource's gauge. */
  static ObjectNode view(Gate gate, Instant now) {
    ObjectNode view =
        Json.object().put("namespace", gate.key().namespace()).put("name", gate.key().name());
    @Nullable Gauge gauge = gate.gauge();
    return view.put("value", gauge == null ? null : gauge.value())
        .put("expiresAt", gauge == null ? null : ScheduleView.text(gauge.expiresAt()))
        .put("known", gate.knownValue(now).isPresent())
        .put("reportedAt", gauge == null ? null : Timestamps.text(gauge.reportedAt()))
        .put("reportedBy", gauge == null ? null : gauge.reportedBy())
        .put("waiting", gate.waiters());
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
