package dev.carillon.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.PoolId;
import dev.carillon.pool.ChosenCounts;
import dev.carillon.pool.ChosenCounts.Count;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Turns;
import dev.carillon.pool.Turns.Flow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of a pool as JSON with short names and with arrays, because it is stored with each
 * choice. A leaving job is named by the key of its row.
 */
final class PoolStateText {

  private PoolStateText() {}

  static String write(PoolState state) {
    ObjectNode json = Json.object();
    json.put("o", state.order().name());
    json.put("m", state.moved());
    if (state.movedAt() != null) {
      json.put("a", state.movedAt().toEpochMilli());
    }
    if (state.orderedUpTo() != null) {
      json.put("u", state.orderedUpTo());
    }
    ObjectNode turns = json.putObject("t");
    new TreeMap<>(state.turns())
        .forEach((priority, of) -> write(of, turns.putArray(priority.toString())));
    ArrayNode leaving = json.putArray("j");
    for (Leaving one : state.leaving()) {
      ArrayNode parts = leaving.addArray().add(one.job().key()).add(one.until().toEpochMilli());
      if (one.isPulled()) {
        parts.add(true);
      }
    }
    // A version without rounds takes a third part of a leaving job for "isPulled".
    if (state.leaving().stream().anyMatch(one -> one.round() != 0)) {
      ArrayNode rounds = json.putArray("r");
      state.leaving().forEach(one -> rounds.add(one.round()));
    }
    if (!state.served().equals(ChosenCounts.NONE)) {
      write(state.served(), json.putArray("h"));
    }
    return Json.write(json);
  }

  private static void write(ChosenCounts served, ArrayNode parts) {
    parts.add(served.halfHour());
    write(served.others(), parts.addArray());
    ObjectNode customers = parts.addObject();
    new TreeMap<>(served.byCustomer())
        .forEach((customer, count) -> write(count, customers.putArray(customer)));
  }

  private static void write(Count count, ArrayNode parts) {
    parts.add(count.present()).add(count.before());
  }

  private static void write(Turns turns, ArrayNode parts) {
    parts
        .add(turns.round())
        .add(turns.cursor())
        .add(turns.served())
        .add(turns.servedBefore())
        .add(turns.newcomersInRow())
        .add(turns.time());
    ObjectNode flows = parts.addObject();
    new TreeMap<>(turns.flows())
        .forEach((name, flow) -> flows.putArray(name).add(flow.start()).add(flow.isActive()));
  }

  static PoolState read(PoolId pool, long version, String text) {
    ObjectNode json = Json.readObject(text);
    Map<Integer, Turns> turns = new HashMap<>();
    for (Map.Entry<String, JsonNode> of : json.get("t").properties()) {
      turns.put(Integer.valueOf(of.getKey()), turns(of.getValue()));
    }
    List<Leaving> leaving = new ArrayList<>();
    for (JsonNode one : json.get("j")) {
      leaving.add(leaving(pool, one, json.path("r").path(leaving.size()).asLong()));
    }
    Order order = Order.valueOf(json.get("o").textValue());
    JsonNode movedAt = json.get("a");
    return new PoolState(
        pool,
        version,
        order,
        turns,
        leaving,
        json.get("m").longValue(),
        movedAt == null ? null : Instant.ofEpochMilli(movedAt.longValue()),
        served(json),
        json.path("u").textValue());
  }

  private static ChosenCounts served(ObjectNode json) {
    if (!json.has("h")) {
      return ChosenCounts.NONE;
    }
    JsonNode parts = json.get("h");
    Map<String, Count> byCustomer = new HashMap<>();
    for (Map.Entry<String, JsonNode> customer : parts.get(2).properties()) {
      byCustomer.put(customer.getKey(), count(customer.getValue()));
    }
    return new ChosenCounts(parts.get(0).longValue(), byCustomer, count(parts.get(1)));
  }

  private static Count count(JsonNode parts) {
    return new Count(parts.get(0).longValue(), parts.get(1).longValue());
  }

  private static Turns turns(JsonNode parts) {
    Map<String, Flow> flows = new HashMap<>();
    for (Map.Entry<String, JsonNode> flow : parts.get(6).properties()) {
      JsonNode value = flow.getValue();
      flows.put(flow.getKey(), new Flow(value.get(0).doubleValue(), value.get(1).booleanValue()));
    }
    return new Turns(
        parts.get(0).longValue(),
        parts.get(1).textValue(),
        parts.get(2).intValue(),
        parts.get(3).intValue(),
        parts.get(4).intValue(),
        parts.get(5).doubleValue(),
        flows);
  }

  private static Leaving leaving(PoolId pool, JsonNode parts, long round) {
    ReadyJob job = (ReadyJob) PoolRow.parse(pool, parts.get(0).textValue(), 0);
    Instant until = Instant.ofEpochMilli(parts.get(1).longValue());
    return new Leaving(job, until, parts.has(2), round);
  }
}
