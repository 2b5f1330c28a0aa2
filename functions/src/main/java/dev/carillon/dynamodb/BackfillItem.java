package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.COUNT;
import static dev.carillon.dynamodb.Forms.INSTANTS;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Forms.URGENT;
import static dev.carillon.dynamodb.Schema.unlessDefault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.Order;
import dev.carillon.backfill.Backfill.State;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.id.BackfillId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.JobState;
import dev.carillon.job.Precedence;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * A backfill as an item of the table of jobs. It has no attribute {@link JobItem#STATE}, because
 * the index counts jobs by that attribute.
 */
final class BackfillItem {

  static final String PREFIX = "backfill#";

  static final TableSchema<BackfillId> KEY =
      Schema.ofKey(
          BackfillId.class,
          JobItem.SCHEDULE,
          id -> id.schedule().toString(),
          JobItem.ITEM,
          id -> PREFIX + id.name(),
          (schedule, item) ->
              new BackfillId(ScheduleId.parse(schedule), item.substring(PREFIX.length())));

  private static final TableSchema<Order> ORDER =
      Schema.of(
              Order.class,
              BackfillOrderBuilder.class,
              BackfillOrderBuilder::builder,
              BackfillOrderBuilder::build)
          .with("g", NUMBER, Order::generation, BackfillOrderBuilder::generation)
          .with("a", NUMBER, Order::activation, BackfillOrderBuilder::activation)
          .with("p", TEXT, Order::program, BackfillOrderBuilder::program)
          .with("f", MILLIS, Order::from, BackfillOrderBuilder::from)
          .with("t", MILLIS, Order::to, BackfillOrderBuilder::to)
          .with("c", COUNT, Order::concurrency, BackfillOrderBuilder::concurrency)
          .with("k", NUMBER, Order::fires, BackfillOrderBuilder::fires)
          .with("u", TEXT, Order::by, BackfillOrderBuilder::by)
          .with("i", MILLIS, Order::at, BackfillOrderBuilder::at)
          .build();

  private static final AttributeConverter<Map<JobState, Long>> COUNTS =
      Forms.text(
          EnhancedType.mapOf(JobState.class, Long.class), BackfillItem::write, BackfillItem::read);

  static final TableSchema<Backfill> SCHEMA =
      Schema.of(
              Backfill.class,
              BackfillBuilder.class,
              () -> BackfillBuilder.builder().open(List.of()).ended(Map.of()),
              BackfillBuilder::build)
          .flat(KEY, Backfill::id, BackfillBuilder::id)
          .flat(ORDER, Backfill::order, BackfillBuilder::order)
          .with(JobItem.VERSION, NUMBER, Backfill::version, BackfillBuilder::version)
          .with("z", Forms.named(State.class), Backfill::state, BackfillBuilder::state)
          .with("x", NUMBER, Backfill::taken, BackfillBuilder::taken)
          .optional("m", TEXT, Backfill::reason, BackfillBuilder::reason)
          .optional("n", MILLIS, Backfill::next, BackfillBuilder::next)
          .optional("o", INSTANTS, it -> unlessDefault(List.of(), it.open()), BackfillBuilder::open)
          .optional("e", COUNTS, it -> unlessDefault(Map.of(), it.ended()), BackfillBuilder::ended)
          .optional("d", MILLIS, Backfill::endedAt, BackfillBuilder::endedAt)
          .optional(
              AttentionItem.AT,
              URGENT,
              it -> Urgent.of(it.attentionAt(), Precedence.LEAST_URGENT),
              (it, urgent) -> it.attentionAt(urgent.at()))
          .build();

  private BackfillItem() {}

  /**
   * @param retention how long the backfill is kept after its end
   */
  static Item<Backfill> of(Backfill backfill, int shards, Duration retention) {
    Item<Backfill> item = AttentionItem.sharded(Item.of(backfill, SCHEMA), backfill.id(), shards);
    Instant endedAt = backfill.endedAt();
    return endedAt == null ? item : item.expiring(endedAt.plus(retention));
  }

  private static String write(Map<JobState, Long> counts) {
    ObjectNode text = Json.object();
    counts.forEach((state, count) -> text.put(state.name(), count));
    return Json.write(text);
  }

  private static Map<JobState, Long> read(String text) {
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    Json.readObject(text)
        .properties()
        .forEach(it -> counts.put(JobState.valueOf(it.getKey()), it.getValue().longValue()));
    return counts;
  }
}
