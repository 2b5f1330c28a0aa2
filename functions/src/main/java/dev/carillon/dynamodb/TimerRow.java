package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.instantOf;
import static dev.carillon.dynamodb.Values.millis;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.timer.CatchUp;
import dev.carillon.timer.CatchUp.Policy;
import dev.carillon.timer.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A timer as an item: shard, and {@code due#schedule#activation#leaf}. */
final class TimerRow {

  static final String SHARD = "shard";
  static final String DUE = "due";

  /** The names of the key's attributes. */
  static final List<String> KEY = List.of(SHARD, DUE);

  private static final String GENERATION = "generation";
  private static final String LEAF = "leaf";
  private static final String CATCH_UP = "catchUp";
  private static final String WINDOW = "window";
  private static final String DECIDED_TO = "decidedTo";

  private TimerRow() {}

  static Map<String, AttributeValue> of(Timer timer, int shards) {
    Map<String, AttributeValue> item = new HashMap<>(key(timer, shards));
    item.put(GENERATION, number(timer.generation()));
    item.put(LEAF, text(Json.write(timer.leafDocument())));
    putCatchUp(item, timer);
    return item;
  }

  /** Nothing for what is the rule, so that a timer stays small. */
  private static void putCatchUp(Map<String, AttributeValue> item, Timer timer) {
    CatchUp catchUp = timer.catchUp();
    Duration window = catchUp.window();
    if (catchUp.policy() != Policy.ALL) {
      item.put(CATCH_UP, text(catchUp.policy().name()));
    }
    if (window != null) {
      item.put(WINDOW, number(window.toMillis()));
    }
    if (timer.decidedTo() != null) {
      item.put(DECIDED_TO, millis(timer.decidedTo()));
    }
  }

  private static CatchUp catchUp(Map<String, AttributeValue> item) {
    Policy policy =
        item.containsKey(CATCH_UP) ? Policy.valueOf(textOf(item, CATCH_UP)) : Policy.ALL;
    return new CatchUp(
        policy, item.containsKey(WINDOW) ? Duration.ofMillis(numberOf(item, WINDOW)) : null);
  }

  /** Where it is put. */
  static Map<String, AttributeValue> key(Timer timer, int shards) {
    return keyIn(shardOf(timer.id(), shards), timer);
  }

  /** Where it lies: there it was read, or else it was put. */
  static Map<String, AttributeValue> place(Timer timer, int shards) {
    return timer.shard() == null ? key(timer, shards) : keyIn(timer.shard(), timer);
  }

  static Map<String, AttributeValue> keyIn(int shard, Timer timer) {
    String due =
        String.join(
            "#",
            digits(timer.dueAt()),
            timer.id().toString(),
            Long.toString(timer.activation()),
            Integer.toString(timer.leaf()));
    return Map.of(SHARD, shard(shard), DUE, text(due));
  }

  static Timer read(Map<String, AttributeValue> item) {
    String[] parts = textOf(item, DUE).split("#", 4);
    return new Timer(
        ScheduleId.parse(parts[1]),
        Instant.ofEpochMilli(Long.parseLong(parts[0])),
        Long.parseLong(parts[2]),
        Integer.parseInt(parts[3]),
        numberOf(item, GENERATION),
        Json.readObject(textOf(item, LEAF)),
        catchUp(item),
        item.containsKey(DECIDED_TO) ? instantOf(item, DECIDED_TO) : null,
        Integer.valueOf(textOf(item, SHARD)));
  }

  static AttributeValue shard(int shard) {
    return text(Integer.toString(shard));
  }

  /** What the keys of all timers that are due at or before the instant are below. */
  static AttributeValue endOf(Instant instant) {
    return text(digits(instant.plusMillis(1)));
  }

  private static int shardOf(ScheduleId id, int shards) {
    return Math.floorMod(id.toString().hashCode(), shards);
  }

  private static String digits(Instant instant) {
    return String.format(Locale.ROOT, "%015d", instant.toEpochMilli());
  }
}
