package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.instantOf;
import static dev.carillon.dynamodb.Values.instantOrNull;
import static dev.carillon.dynamodb.Values.millis;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.constraint.Gauge;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.Attention;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A gate and the places of those who wait at it as items. Lists are texts with blanks between their
 * parts, and numbers of base 36: a gate is written with each launch, and counted by size.
 */
final class GateRow {

  static final String GATE = "gate";
  static final String ITEM = "item";
  static final String VERSION = "v";
  static final String WAITER_PREFIX = "waiter#";

  private static final String OWN = "gate";
  private static final String SLOTS = "s";
  private static final String LAUNCHES = "l";
  private static final String LAST_SUCCESS = "e";
  private static final String WAITERS = "n";
  private static final String ENDS = "d";
  private static final String GAUGE = "g";
  private static final String EXPIRES_AT = "x";
  private static final String REPORTED_AT = "r";
  private static final String REPORTED_BY = "b";
  private static final int RADIX = 36;

  private GateRow() {}

  static Map<String, AttributeValue> key(GateKey gate) {
    return Map.of(GATE, text(gate.toString()), ITEM, text(OWN));
  }

  static Map<String, AttributeValue> of(Gate gate, int attentionShards) {
    Map<String, AttributeValue> item = new HashMap<>(key(gate.key()));
    item.put(VERSION, number(gate.version()));
    putUnlessEmpty(item, SLOTS, gate.slots().stream().map(GateRow::slot).toList());
    putUnlessEmpty(item, LAUNCHES, gate.launches().stream().map(GateRow::short36).toList());
    putUnlessEmpty(
        item,
        ENDS,
        gate.ends().entrySet().stream()
            .map(end -> Long.toString(end.getKey(), RADIX) + "@" + short36(end.getValue()))
            .toList());
    if (gate.lastSuccess() != null) {
      item.put(LAST_SUCCESS, millis(gate.lastSuccess()));
    }
    if (gate.gauge() != null) {
      putGauge(item, gate.gauge());
    }
    if (gate.waiters() != 0) {
      item.put(WAITERS, number(gate.waiters()));
    }
    if (gate.wakeAt() != null) {
      item.put(
          JobRow.ATTENTION_SHARD, JobRow.attentionShard(gate.key().toString(), attentionShards));
      item.put(JobRow.ATTENTION_AT, JobRow.attentionAt(gate.wakeAt(), 0));
    }
    return item;
  }

  private static void putGauge(Map<String, AttributeValue> item, Gauge gauge) {
    item.put(GAUGE, text(gauge.value().toPlainString()));
    item.put(REPORTED_AT, millis(gauge.reportedAt()));
    item.put(REPORTED_BY, text(gauge.reportedBy()));
    if (gauge.expiresAt() != null) {
      item.put(EXPIRES_AT, millis(gauge.expiresAt()));
    }
  }

  private static @Nullable Gauge gauge(Map<String, AttributeValue> item) {
    return item.containsKey(GAUGE)
        ? new Gauge(
            new BigDecimal(textOf(item, GAUGE)),
            instantOrNull(item, EXPIRES_AT),
            instantOf(item, REPORTED_AT),
            textOf(item, REPORTED_BY))
        : null;
  }

  private static void putUnlessEmpty(
      Map<String, AttributeValue> item, String name, List<String> parts) {
    if (!parts.isEmpty()) {
      item.put(name, text(String.join(" ", parts)));
    }
  }

  private static String slot(Slot slot) {
    return local(slot.job()) + "@" + short36(slot.since());
  }

  private static String short36(Instant instant) {
    return Long.toString(instant.toEpochMilli(), RADIX);
  }

  private static Instant instant(String short36) {
    return Instant.ofEpochMilli(Long.parseLong(short36, RADIX));
  }

  /** Without the namespace, which is the gate's. */
  private static String local(JobId job) {
    return job.toString().substring(job.schedule().namespace().length() + 1);
  }

  private static JobId job(GateKey gate, String local) {
    return JobId.parse(gate.namespace() + "~" + local);
  }

  static Gate read(Map<String, AttributeValue> item) {
    GateKey key = gateKey(item);
    List<Slot> slots = new ArrayList<>();
    for (String part : parts(item, SLOTS)) {
      slots.add(new Slot(job(key, before(part)), instant(behind(part))));
    }
    return new Gate(
        key,
        numberOf(item, VERSION),
        List.copyOf(slots),
        parts(item, LAUNCHES).stream().map(GateRow::instant).toList(),
        instantOrNull(item, LAST_SUCCESS),
        (int) numberOf(item, WAITERS, 0),
        item.containsKey(JobRow.ATTENTION_AT) ? JobRow.attentionInstant(item) : null,
        parts(item, ENDS).stream()
            .collect(
                Collectors.toMap(
                    part -> Long.parseLong(before(part), RADIX),
                    part -> instant(behind(part)),
                    (one, same) -> one,
                    TreeMap::new)),
        gauge(item));
  }

  private static List<String> parts(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name) ? List.of(textOf(item, name).split(" ")) : List.of();
  }

  private static String before(String part) {
    return part.substring(0, part.lastIndexOf('@'));
  }

  private static String behind(String part) {
    return part.substring(part.lastIndexOf('@') + 1);
  }

  /** A resource among those of its namespace that have a gauge. */
  static Map<String, AttributeValue> listedKey(GateKey resource) {
    return Map.of(GATE, text(listOf(resource.namespace())), ITEM, text(resource.name()));
  }

  /** No gate has it: a gate's key holds a colon. */
  static String listOf(String namespace) {
    return namespace + "#resources";
  }

  static GateKey gateKey(Map<String, AttributeValue> item) {
    return GateKey.parse(textOf(item, GATE));
  }

  static Attention attention(Map<String, AttributeValue> item) {
    return new Attention(gateKey(item), JobRow.attentionInstant(item), 0);
  }

  static Map<String, AttributeValue> attentionKey(Attention attention, int shard) {
    Map<String, AttributeValue> key = new HashMap<>(key((GateKey) attention.subject()));
    key.put(JobRow.ATTENTION_SHARD, JobRow.attentionShard(shard));
    key.put(JobRow.ATTENTION_AT, JobRow.attentionAt(attention.at(), 0));
    return key;
  }

  /** Sorts as {@link Waiter#ORDER}. */
  static Map<String, AttributeValue> waiterKey(Waiter waiter) {
    return Map.of(
        GATE,
        text(waiter.gate().toString()),
        ITEM,
        text(
            "%s%d#%015d#%s"
                .formatted(
                    WAITER_PREFIX,
                    waiter.priority(),
                    waiter.since().toEpochMilli(),
                    local(waiter.job()))));
  }

  static Waiter readWaiter(Map<String, AttributeValue> item) {
    GateKey gate = gateKey(item);
    String[] parts = textOf(item, ITEM).split("#", 4);
    return new Waiter(
        gate,
        Integer.parseInt(parts[1]),
        Instant.ofEpochMilli(Long.parseLong(parts[2])),
        job(gate, parts[3]));
  }
}
