package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.COUNT;
import static dev.carillon.dynamodb.Forms.INSTANTS;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.PLAN;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Forms.URGENT;
import static dev.carillon.dynamodb.Schema.unlessDefault;

import dev.carillon.constraint.Gauge;
import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Remembered;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Slots;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.time.Timestamps;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.WrappedTableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A gate and its waiting jobs as items. Lists are stored as texts separated by blanks, with numbers
 * in base 36. Each launch writes a gate, and DynamoDB counts write units by size.
 */
final class GateItem {

  static final String GATE = "gate";
  static final String ITEM = "item";
  static final String VERSION = "v";
  static final String WAITER_PREFIX = "waiter#";
  static final String OWN = "gate";
  private static final String DEMAND_PREFIX = "=";

  /**
   * The prefix of the number of slots that are items of their own. A version that knows no such
   * items takes this text for a slot, so it cannot read the gate. Then it cannot store the gate
   * without these items.
   */
  private static final String MORE = "+";

  /** A number that is larger than the number of schedules that can set the same limits. */
  private static final long MANY = 1_000_000_000;

  private static final int RADIX = 36;

  static final TableSchema<GateKey> KEY =
      Schema.ofKey(
          GateKey.class,
          GATE,
          GateKey::toString,
          ITEM,
          key -> OWN,
          (gate, item) -> GateKey.parse(gate));

  /** An entry in the list of a namespace's resources that have a gauge. */
  static final TableSchema<GateKey> LISTED =
      Schema.ofKey(
          GateKey.class,
          GATE,
          resource -> listOf(resource.namespace()),
          ITEM,
          GateKey::name,
          (list, name) -> GateKey.ofResource(list.substring(0, list.indexOf('#')), name));

  /** The keys sort like {@link Waiter#ORDER}. */
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
          GateItem::waiter);

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
      Forms.text(EnhancedType.mapOf(Long.class, Instant.class), GateItem::write, GateItem::read);

  private static final TableSchema<Remembered> PAST =
      Schema.of(
              Remembered.class,
              RememberedBuilder.class,
              () -> RememberedBuilder.builder().launches(List.of()).ends(Map.of()),
              RememberedBuilder::build)
          .optional(
              "l",
              INSTANTS,
              past -> unlessDefault(List.of(), past.launches()),
              RememberedBuilder::launches)
          .optional("o", MILLIS, Remembered::dropped, RememberedBuilder::dropped)
          .optional(
              "d", ENDS, past -> unlessDefault(Map.of(), past.ends()), RememberedBuilder::ends)
          .optional("e", MILLIS, Remembered::lastSuccess, RememberedBuilder::lastSuccess)
          .optional("u", MILLIS, Remembered::unsureUntil, RememberedBuilder::unsureUntil)
          .build();

  private static final TableSchema<Gate> WITHOUT_DEMANDS =
      Schema.of(Gate.class, Parts.class, Parts::new, Parts::gate)
          .flat(KEY, Gate::key, Parts::key)
          .with(VERSION, NUMBER, Gate::version, Parts::version)
          .optional(
              "s",
              SLOTS,
              gate -> unlessDefault(List.of(), slots(gate)),
              (it, slots) -> it.localSlots = slots)
          .flat(PAST, Gate::past, Parts::past)
          .optional("n", COUNT, gate -> unlessDefault(0, gate.waiters()), Parts::waiters)
          .optional("p", PLAN, Gate::wakeup, Parts::wakeup)
          .written(AttentionItem.AT, URGENT, GateItem::attention)
          .flat(GAUGE, Gate::gauge, Parts::gauge)
          .build();

  static final TableSchema<Gate> SCHEMA = new WithDemands();

  private GateItem() {}

  /** An attribute for each text of demands, so that an update can add to its count. */
  private static final class WithDemands extends WrappedTableSchema<Gate, TableSchema<Gate>> {

    WithDemands() {
      super(WITHOUT_DEMANDS);
    }

    @Override
    public Gate mapToItem(Map<String, AttributeValue> attributes) {
      if (attributes.keySet().stream()
          .anyMatch(name -> isDemand(name) && !isCount(attributes.get(name)))) {
        throw new IllegalStateException("the number of schedules with a limit cannot be read");
      }
      return super.mapToItem(attributes).demanding(demandsOf(attributes));
    }

    @Override
    public Map<String, AttributeValue> itemToMap(Gate gate, boolean ignoreNulls) {
      Map<String, AttributeValue> attributes = new HashMap<>(super.itemToMap(gate, ignoreNulls));
      attributes.putAll(counts(gate.demands()));
      return attributes;
    }
  }

  /** The demands of a gate that cannot be read. A count that cannot be read is set too high. */
  static Map<String, Long> demandsOf(Map<String, AttributeValue> damaged) {
    Map<String, Long> demands = new HashMap<>();
    damaged.forEach(
        (name, value) -> {
          if (isDemand(name)) {
            long count = isCount(value) ? NUMBER.transformTo(value) : MANY;
            demands.put(name.substring(DEMAND_PREFIX.length()), count);
          }
        });
    return demands;
  }

  private static boolean isDemand(String attribute) {
    return attribute.startsWith(DEMAND_PREFIX);
  }

  private static boolean isCount(@Nullable AttributeValue value) {
    return value != null && value.n() != null;
  }

  private static Map<String, AttributeValue> counts(Map<String, Long> demands) {
    Map<String, AttributeValue> counts = new HashMap<>();
    demands.forEach((text, count) -> counts.put(DEMAND_PREFIX + text, NUMBER.transformFrom(count)));
    return counts;
  }

  /**
   * The numbers to add to the demands. Adding them also raises the version, like each change of a
   * gate.
   */
  static Item<GateKey> additions(GateKey gate, Map<String, Long> demands) {
    return new Item<>(KEY.itemToMap(gate, true), KEY)
        .with(counts(demands))
        .with(VERSION, NUMBER.transformFrom(1L));
  }

  /** Collects the slots' jobs without their namespace, which the gate's key holds. */
  private static final class Parts extends GateBuilder {

    private List<String> localSlots = List.of();

    Parts() {
      past(Remembered.NOTHING).demands(Map.of());
    }

    Gate gate() {
      int last = localSlots.size() - 1;
      boolean hasMore = last >= 0 && localSlots.get(last).startsWith(MORE);
      List<String> inline = hasMore ? localSlots.subList(0, last) : localSlots;
      int apart = hasMore ? Integer.parseInt(localSlots.get(last).substring(1), RADIX) : 0;
      slots(Slots.of(inline.stream().map(slot -> slot(key(), slot)).toList(), apart));
      return build();
    }
  }

  private static @Nullable Urgent attention(Gate it) {
    return it.wakeup() == null ? null : Urgent.of(it.wakeup().attentionAt(), 0);
  }

  static Item<Gate> of(Gate gate, int attentionShards) {
    return AttentionItem.sharded(Item.of(gate, SCHEMA), gate.key(), attentionShards);
  }

  private static List<String> slots(Gate gate) {
    Slots slots = gate.slots();
    Stream<String> inline =
        slots.inline().stream()
            .map(slot -> local(slot.job()) + "@" + Timestamps.shortText(slot.since()));
    Stream<String> more =
        slots.apart() == 0
            ? Stream.empty()
            : Stream.of(MORE + Integer.toString(slots.apart(), RADIX));
    return Stream.concat(inline, more).toList();
  }

  private static Slot slot(GateKey gate, String slot) {
    return new Slot(job(gate, before(slot)), Timestamps.ofShortText(behind(slot)));
  }

  private static String write(Map<Long, Instant> ends) {
    return ends.entrySet().stream()
        .map(it -> Long.toString(it.getKey(), RADIX) + "@" + Timestamps.shortText(it.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static Map<Long, Instant> read(String text) {
    Map<Long, Instant> ends = new TreeMap<>();
    for (String end : text.split(" ", -1)) {
      ends.put(Long.parseLong(before(end), RADIX), Timestamps.ofShortText(behind(end)));
    }
    return ends;
  }

  private static String before(String part) {
    return part.substring(0, part.lastIndexOf('@'));
  }

  private static String behind(String part) {
    return part.substring(part.lastIndexOf('@') + 1);
  }

  /** The job id without its namespace, which the gate's key holds. */
  static String local(JobId job) {
    return job.toString().substring(job.schedule().namespace().length() + 1);
  }

  static JobId job(GateKey gate, String local) {
    return JobId.parse(gate.namespace() + "~" + local);
  }

  /** The key of a list of resources. No gate has it: the key of a gate contains a colon. */
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
