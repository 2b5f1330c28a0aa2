package dev.carillon.dynamodb;

import static java.util.Objects.requireNonNull;

import dev.carillon.gate.GateDemands;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.id.ScheduleId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The gate demands of a namespace's schedules, as one item with an attribute for each schedule. A
 * schedule's attribute can be changed without reading the item.
 */
final class GatedItem {

  private static final String ITEM = "gated";
  private static final String PREFIX = "g#";
  private static final Logger LOG = LoggerFactory.getLogger(GatedItem.class);

  /** No schedule has this key: the partition key of a schedule contains a slash. */
  static final TableSchema<String> KEY =
      Schema.ofKey(
          String.class,
          "schedule",
          namespace -> namespace,
          "item",
          namespace -> ITEM,
          (namespace, item) -> namespace);

  static final TableSchema<Gated> SCHEMA =
      Schema.of(
              Gated.class,
              GatedItemGatedBuilder.class,
              () -> GatedItemGatedBuilder.builder().demands(Map.of()),
              GatedItemGatedBuilder::build)
          .flat(KEY, Gated::namespace, GatedItemGatedBuilder::namespace)
          .others("demands", Gated::demands, GatedItemGatedBuilder::demands)
          .build();

  private GatedItem() {}

  /**
   * @param demands the texts of the demands, by attribute name
   */
  record Gated(String namespace, Map<String, String> demands) {}

  static boolean isOne(Item<?> item) {
    return item.text("item").equals(ITEM);
  }

  /** The update of one schedule's attribute: its text, or null to remove it. */
  static Item<Gated> change(ScheduleId id, GateDemands demands) {
    AttributeValue text =
        demands.limits().isEmpty()
            ? AttributeValue.fromNul(true)
            : AttributeValue.fromS(demands.text());
    return new Item<>(KEY.itemToMap(id.namespace(), true), SCHEMA).with(PREFIX + id.name(), text);
  }

  /** Returns an entry for each namespace, also if nothing is stored for it. */
  static Map<String, GatedPrograms> read(Collection<String> namespaces, List<Item<Gated>> items) {
    Map<String, GatedPrograms> gated = new HashMap<>();
    for (String namespace : namespaces) {
      gated.put(namespace, new GatedPrograms(namespace, List.of()));
    }
    for (Item<Gated> item : items) {
      String namespace = item.as(KEY).record();
      gated.put(namespace, read(namespace, item.attributes()));
    }
    return gated;
  }

  /**
   * Reads each schedule's demands by themselves. Those that cannot be read concern the launches of
   * their program alone, which the text begins with.
   */
  private static GatedPrograms read(String namespace, Map<String, AttributeValue> attributes) {
    List<GateDemands> demands = new ArrayList<>();
    Set<String> unreadable = new HashSet<>();
    attributes.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX)) {
            try {
              demands.add(GateDemands.parse(requireNonNull(value.s())));
            } catch (RuntimeException damage) {
              unreadable.add(GateDemands.program(String.valueOf(value.s())));
              LOG.error(
                  "the limits of the schedule {}/{} cannot be read, so the jobs of its program wait;"
                      + " store the schedule with a change, or delete it and store it again",
                  namespace,
                  name.substring(PREFIX.length()),
                  damage);
            }
          }
        });
    return new GatedPrograms(namespace, demands, unreadable);
  }
}
