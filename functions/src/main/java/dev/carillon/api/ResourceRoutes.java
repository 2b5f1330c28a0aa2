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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gauges of resources: report, read, list, delete. Whoever waits for one is looked at at once. */
final class ResourceRoutes {

  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
  private static final Duration LONGEST_TTL = Duration.ofDays(366);
  private static final Logger LOG = LoggerFactory.getLogger(ResourceRoutes.class);

  private final Gates gates;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  ResourceRoutes(Gates gates, CheckQueue checks, OptimisticUpdate updates, InstantSource clock) {
    this.gates = gates;
    this.checks = checks;
    this.updates = updates;
    this.clock = clock;
  }

  /** A report, or the end of one, that is stored. */
  private record Reported(Gate before, Gate after, Instant at) {}

  APIGatewayProxyResponseEvent get(Call call) {
    Gate gate = required(call.resource());
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
              Gate before = find(key);
              Instant now = now();
              Instant end = ttl == null ? null : now.plus(ttl);
              return stored(before, new Gauge(value, end, now, call.caller()), now);
            });
    wake(reported);
    boolean isNew = reported.before().gauge() == null;
    return Answer.of(isNew ? 201 : 200, view(reported.after(), reported.at()));
  }

  APIGatewayProxyResponseEvent delete(Call call) {
    GateKey key = call.resource();
    wake(updates.run(key.shown(), () -> stored(required(key), null, now())));
    return Answer.empty(204);
  }

  private Attempt<Reported> stored(Gate before, @Nullable Gauge gauge, Instant now) {
    Gate after = before.reported(gauge, now);
    return Attempt.of(gates.update(before, after), new Reported(before, after, now));
  }

  APIGatewayProxyResponseEvent list(Call call) {
    String namespace = call.namespace();
    Faults faults = new Faults();
    Fields query = call.query(faults, List.of("limit", "next"));
    int limit = Listing.limit(query);
    String list = "resources " + namespace;
    String from = Cursor.open(query, list, Cursor::isName);
    Problem.refuse(faults);
    Page<Gate> page = gates.resources(namespace, limit, from);
    Instant now = now();
    List<ObjectNode> views = page.items().stream().map(gate -> view(gate, now)).toList();
    return Answer.of(200, Listing.page("resources", views, Cursor.seal(list, page.next())));
  }

  /** A message that cannot be sent is no loss: the gate needs attention by itself. */
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
          "the check queue took no message; {} waits for the master", after.key(), unavailable);
    }
  }

  private Gate find(GateKey key) {
    return gates.find(List.of(key)).getOrDefault(key, Gate.unused(key));
  }

  private Gate required(GateKey key) {
    Gate gate = find(key);
    if (gate.gauge() == null) {
      throw Problem.notFound(
          "nothing is reported of the resource " + Faults.quoted(key.name()) + "; report it first");
    }
    return gate;
  }

  /** What is reported of a resource, as users see it. */
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
