package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.instantOf;
import static dev.carillon.dynamodb.Values.instantOrNull;
import static dev.carillon.dynamodb.Values.millis;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.seconds;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;
import static dev.carillon.dynamodb.Values.textOrNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.Order;
import dev.carillon.backfill.Backfill.State;
import dev.carillon.document.Json;
import dev.carillon.id.BackfillId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A backfill as an item of the table of jobs. It has no attribute {@link JobRow#STATE}: by that the
 * index counts jobs.
 */
final class BackfillRow {

  static final String PREFIX = "backfill#";

  private static final int RADIX = 36;
  private static final String GENERATION = "g";
  private static final String ACTIVATION = "a";
  private static final String PROGRAM = "p";
  private static final String FROM = "f";
  private static final String TO = "t";
  private static final String CONCURRENCY = "c";
  private static final String FIRES = "k";
  private static final String ASKED_BY = "u";
  private static final String ASKED_AT = "i";
  private static final String BACKFILL_STATE = "z";
  private static final String REASON = "m";
  private static final String NEXT = "n";
  private static final String TAKEN = "x";
  private static final String OPEN = "o";
  private static final String ENDED = "e";
  private static final String ENDED_AT = "d";

  private BackfillRow() {}

  static Map<String, AttributeValue> key(BackfillId id) {
    return Map.of(
        JobRow.SCHEDULE, text(id.schedule().toString()), JobRow.ITEM, text(PREFIX + id.name()));
  }

  static BackfillId id(Map<String, AttributeValue> item) {
    ScheduleId schedule = ScheduleId.parse(textOf(item, JobRow.SCHEDULE));
    return new BackfillId(schedule, textOf(item, JobRow.ITEM).substring(PREFIX.length()));
  }

  /** Whether an item is one of these. */
  static boolean is(Map<String, AttributeValue> item) {
    return textOf(item, JobRow.ITEM).startsWith(PREFIX);
  }

  /**
   * @param retention how long after its end the backfill is kept
   */
  static Map<String, AttributeValue> of(Backfill backfill, int shards, Duration retention) {
    Map<String, AttributeValue> item = new HashMap<>(key(backfill.id()));
    putOrder(item, backfill.order());
    item.put(JobRow.VERSION, number(backfill.version()));
    item.put(BACKFILL_STATE, text(backfill.state().name()));
    item.put(TAKEN, number(backfill.taken()));
    if (backfill.reason() != null) {
      item.put(REASON, text(backfill.reason()));
    }
    if (backfill.next() != null) {
      item.put(NEXT, millis(backfill.next()));
    }
    if (!backfill.open().isEmpty()) {
      item.put(OPEN, text(write(backfill.open())));
    }
    if (!backfill.ended().isEmpty()) {
      ObjectNode ended = Json.object();
      backfill.ended().forEach((state, count) -> ended.put(state.name(), count));
      item.put(ENDED, text(Json.write(ended)));
    }
    if (backfill.attentionAt() != null) {
      item.put(JobRow.ATTENTION_SHARD, JobRow.attentionShard(backfill.id().toString(), shards));
      item.put(JobRow.ATTENTION_AT, JobRow.attentionAt(backfill.attentionAt(), Job.LEAST_URGENT));
    }
    if (backfill.endedAt() != null) {
      item.put(ENDED_AT, millis(backfill.endedAt()));
      item.put(JobRow.EXPIRES_AT, seconds(backfill.endedAt().plus(retention)));
    }
    return item;
  }

  private static void putOrder(Map<String, AttributeValue> item, Order order) {
    item.put(GENERATION, number(order.generation()));
    item.put(ACTIVATION, number(order.activation()));
    item.put(PROGRAM, text(order.program()));
    item.put(FROM, millis(order.from()));
    item.put(TO, millis(order.to()));
    item.put(CONCURRENCY, number(order.concurrency()));
    item.put(FIRES, number(order.fires()));
    item.put(ASKED_BY, text(order.by()));
    item.put(ASKED_AT, millis(order.at()));
  }

  static Backfill read(Map<String, AttributeValue> item) {
    return new Backfill(
        id(item),
        readOrder(item),
        State.valueOf(textOf(item, BACKFILL_STATE)),
        textOrNull(item, REASON),
        numberOf(item, JobRow.VERSION),
        instantOrNull(item, NEXT),
        numberOf(item, TAKEN),
        readOpen(textOrNull(item, OPEN)),
        readEnded(textOrNull(item, ENDED)),
        item.containsKey(JobRow.ATTENTION_AT) ? JobRow.attentionInstant(item) : null,
        instantOrNull(item, ENDED_AT));
  }

  private static Order readOrder(Map<String, AttributeValue> item) {
    return new Order(
        numberOf(item, GENERATION),
        numberOf(item, ACTIVATION),
        textOf(item, PROGRAM),
        instantOf(item, FROM),
        instantOf(item, TO),
        (int) numberOf(item, CONCURRENCY),
        numberOf(item, FIRES),
        textOf(item, ASKED_BY),
        instantOf(item, ASKED_AT));
  }

  /** As short as it can be: write units are counted by size. */
  private static String write(List<Instant> fires) {
    return fires.stream()
        .map(fire -> Long.toString(fire.toEpochMilli(), RADIX))
        .collect(Collectors.joining(" "));
  }

  private static List<Instant> readOpen(@Nullable String fires) {
    return fires == null
        ? List.of()
        : Arrays.stream(fires.split(" "))
            .map(fire -> Instant.ofEpochMilli(Long.parseLong(fire, RADIX)))
            .toList();
  }

  private static Map<JobState, Long> readEnded(@Nullable String counts) {
    Map<JobState, Long> ended = new EnumMap<>(JobState.class);
    if (counts != null) {
      Json.readObject(counts)
          .properties()
          .forEach(
              count -> ended.put(JobState.valueOf(count.getKey()), count.getValue().longValue()));
    }
    return ended;
  }
}
