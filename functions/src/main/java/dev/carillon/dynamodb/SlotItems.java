package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBeginsWith;

import dev.carillon.dynamodb.Writes.Guarded;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;

/**
 * The slots for which a gate's item has no room, as items of the gate's partition. Each item's key
 * names the job, so a function that ends the job finds its slot without reading others.
 */
final class SlotItems {

  private static final String PREFIX = "slot#";

  /** A job that holds a slot at a gate. */
  record Holder(GateKey gate, JobId job) {}

  record Held(Holder holder, Instant since) {

    static Held of(GateKey gate, Slot slot) {
      return new Held(new Holder(gate, slot.job()), slot.since());
    }

    Slot slot() {
      return new Slot(holder.job(), since);
    }
  }

  private static final TableSchema<Holder> KEY =
      Schema.ofKey(
          Holder.class,
          GateItem.GATE,
          holder -> holder.gate().toString(),
          GateItem.ITEM,
          holder -> PREFIX + GateItem.local(holder.job()),
          SlotItems::holder);

  private static final AttributeConverter<Instant> SINCE =
      Forms.text(Instant.class, Timestamps::shortText, SlotItems::since);

  static final TableSchema<Held> SCHEMA =
      Schema.of(Held.class, Parts.class, Parts::new, Parts::held)
          .flat(KEY, Held::holder, (it, holder) -> it.holder = holder)
          .optional("t", SINCE, Held::since, (it, since) -> it.since = since)
          .build();

  private final DynamoDbTable<Item<Held>> slots;
  private final Batches batches;
  private final Writes writes;

  SlotItems(Database database, Batches batches, Writes writes, String table) {
    this.slots = database.table(table, () -> SCHEMA);
    this.batches = batches;
    this.writes = writes;
  }

  /** Collects the parts of a slot. An attempt whose start cannot be read counts as the oldest. */
  private static final class Parts {
    private @Nullable Holder holder;
    private Instant since = Instant.EPOCH;

    Held held() {
      return new Held(Objects.requireNonNull(holder), since);
    }
  }

  private static Instant since(@Nullable String text) {
    try {
      return text == null ? Instant.EPOCH : Timestamps.ofShortText(text);
    } catch (RuntimeException damage) {
      return Instant.EPOCH;
    }
  }

  private static Holder holder(String gate, String item) {
    GateKey key = GateKey.parse(gate);
    return new Holder(key, GateItem.job(key, item.substring(PREFIX.length())));
  }

  /** The given jobs whose slots are items of their own. The read is strongly consistent. */
  Set<JobId> holders(GateKey gate, Collection<JobId> jobs) {
    List<Item<Held>> found =
        batches.get(
            slots, jobs.stream().map(job -> Schema.key(KEY, new Holder(gate, job))).toList());
    return found.stream()
        .map(item -> item.as(KEY).record().job())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * All slots of a gate that have items of their own, the oldest first. The read is strongly
   * consistent.
   */
  List<Slot> all(GateKey gate) {
    QueryConditional ofGate =
        sortBeginsWith(it -> it.partitionValue(gate.toString()).sortValue(PREFIX));
    return Items.readable(
            Queries.all(slots.query(it -> it.queryConditional(ofGate).consistentRead(true))),
            Held::slot)
        .stream()
        .sorted(Slot.ORDER)
        .toList();
  }

  /**
   * The writes and deletions of slots that belong to the next version of a gate. If a slot to store
   * exists already, or a slot to delete is absent, the gate has changed since it was read.
   */
  List<Guarded> changes(Gate after) {
    List<Guarded> changes = new ArrayList<>();
    GateKey gate = after.key();
    for (Slot slot : after.slots().added()) {
      Item<Held> item = Item.of(Held.of(gate, slot), SCHEMA);
      changes.add(writes.guarded(slots, item, Writes.absent(GateItem.GATE)));
    }
    for (JobId job : after.slots().removed()) {
      changes.add(writes.guardedDeletion(slots, Schema.key(KEY, new Holder(gate, job))));
    }
    return changes;
  }
}
