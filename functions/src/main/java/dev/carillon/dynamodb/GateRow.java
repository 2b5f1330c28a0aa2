package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.COUNT;
import static dev.carillon.dynamodb.Forms.INSTANTS;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.PLAN;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Forms.URGENT;
import static dev.carillon.dynamodb.Schema.unless;

import dev.carillon.constraint.Gauge;
import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * A gate and the places of those who wait at it as items. Lists are texts with blanks between their
 * parts, and numbers of base 36: a gate is written with each launch, and counted by size.
 */
final class GateRow {

  static final String GATE = "gate";
  static final String ITEM = "item";
  static final String VERSION = "v";
  static final String WAITER_PREFIX = "waiter#";
  static final String OWN = "gate";
  private static final int RADIX = 36;

  static final TableSchema<GateKey> KEY =
      Schema.ofKey(
          GateKey.class,
          GATE,
          GateKey::toString,
          ITEM,
          key -> OWN,
          (gate, item) -> GateKey.parse(gate));

  /** A resource among those of its namespace that have a gauge. */
  static final TableSchema<GateKey> LISTED =
      Schema.ofKey(
          GateKey.class,
          GATE,
          resource -> listOf(resource.namespace()),
          ITEM,
          GateKey::name,
          (list, name) -> GateKey.ofResource(list.substring(0, list.indexOf('#')), name));

  /** Sorts as {@link Waiter#ORDER}. */
  static final TableSchema<Waiter> WAITER =
      Schema.ofKey(
          Waiter.class,
          GATE,
          waiter -> waiter.gate().toString(),
          ITEM,
          waiter ->
              String.format(
                  Locale.ROOT,
                  "%s%d#%015d#%s",
                  WAITER_PREFIX,
                  waiter.priority(),
                  waiter.since().toEpochMilli(),
                  local(waiter.job())),
          GateRow::waiter);

  private static final AttributeConverter<BigDecimal> DIGITS =
      Forms.text(BigDecimal.class, BigDecimal::toPlainString, BigDecimal::new);

  private static final TableSchema<Gauge> GAUGE =
      Schema.of(Gauge.class, GaugeBuilder.class, GaugeBuilder::builder, GaugeBuilder::build)
          .with("g", DIGITS, Gauge::value, GaugeBuilder::value)
          .optional("x", MILLIS, Gauge::expiresAt, GaugeBuilder::expiresAt)
          .with("r", MILLIS, Gauge::reportedAt, GaugeBuilder::reportedAt)
          .with("b", TEXT, Gauge::reportedBy, GaugeBuilder::reportedBy)
          .build();

  private static final AttributeConverter<List<String>> SLOTS =
      Forms.joined(" ", String.class, slot -> slot, slot -> slot);

  private static final AttributeConverter<Map<Long, Instant>> ENDS =
      Forms.text(EnhancedType.mapOf(Long.class, Instant.class), GateRow::write, GateRow::read);

  static final TableSchema<Gate> SCHEMA =
      Schema.of(Gate.class, Parts.class, Parts::new, Parts::gate)
          .flat(KEY, Gate::key, Parts::key)
          .with(VERSION, NUMBER, Gate::version, Parts::version)
          .optional(
              "s",
              SLOTS,
              gate -> unless(List.of(), slots(gate)),
              (it, slots) -> it.localSlots = slots)
          .optional("l", INSTANTS, gate -> unless(List.of(), gate.launches()), Parts::launches)
          .optional("d", ENDS, gate -> unless(Map.of(), gate.ends()), Parts::ends)
          .optional("e", MILLIS, Gate::lastSuccess, Parts::lastSuccess)
          .optional("n", COUNT, gate -> unless(0, gate.waiters()), Parts::waiters)
          .optional("p", PLAN, Gate::wakeup, Parts::wakeup)
          .written(AttentionRow.AT, URGENT, GateRow::attention)
          .flat(GAUGE, Gate::gauge, Parts::gauge)
          .build();

  private GateRow() {}

  /** The jobs that have slots lack the namespace, which is the gate's. */
  private static final class Parts extends GateBuilder {

    private List<String> localSlots = List.of();

    Parts() {
      launches(List.of()).ends(Map.of());
    }

    Gate gate() {
      slots(localSlots.stream().map(slot -> slot(key(), slot)).toList());
      return build();
    }
  }

  private static @Nullable Urgent attention(Gate it) {
    return it.wakeup() == null ? null : Urgent.of(it.wakeup().attentionAt(), 0);
  }

  static Row<Gate> of(Gate gate, int attentionShards) {
    return AttentionRow.sharded(Row.of(gate, SCHEMA), gate.key(), attentionShards);
  }

  private static List<String> slots(Gate gate) {
    return gate.slots().stream()
        .map(slot -> local(slot.job()) + "@" + Forms.short36(slot.since()))
        .toList();
  }

  private static Slot slot(GateKey gate, String slot) {
    return new Slot(job(gate, before(slot)), Forms.instant(behind(slot)));
  }

  private static String write(Map<Long, Instant> ends) {
    return ends.entrySet().stream()
        .map(it -> Long.toString(it.getKey(), RADIX) + "@" + Forms.short36(it.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static Map<Long, Instant> read(String text) {
    Map<Long, Instant> ends = new TreeMap<>();
    for (String end : text.split(" ", -1)) {
      ends.put(Long.parseLong(before(end), RADIX), Forms.instant(behind(end)));
    }
    return ends;
  }

  private static String before(String part) {
    return part.substring(0, part.lastIndexOf('@'));
  }

  private static String behind(String part) {
    return part.substring(part.lastIndexOf('@') + 1);
  }

  /** Without the namespace, which is the gate's. */
  private static String local(JobId job) {
    return job.toString().substring(job.schedule().namespace().length() + 1);
  }

  private static JobId job(GateKey gate, String local) {
    return JobId.parse(gate.namespace() + "~" + local);
  }

  /** No gate has it: a gate's key holds a colon. */
  static String listOf(String namespace) {
    return namespace + "#resources";
  }

  private static Waiter waiter(String gate, String item) {
    GateKey key = GateKey.parse(gate);
    String[] parts = item.split("#", 4);
    Instant since = Instant.ofEpochMilli(Long.parseLong(parts[2]));
    return new Waiter(key, Integer.parseInt(parts[1]), since, job(key, parts[3]));
  }
}
