package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.JSON;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Schema.unlessDefault;
import static java.util.Objects.requireNonNull;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;

import dev.carillon.id.ScheduleId;
import dev.carillon.timer.CatchUp;
import dev.carillon.timer.CatchUp.Policy;
import dev.carillon.timer.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/** A timer as an item: shard, and {@code due#schedule#activation#leaf}. */
final class TimerItem {

  private static final AttributeConverter<Integer> SHARD_FORM =
      Forms.text(Integer.class, shard -> Integer.toString(shard), Integer::valueOf);

  private static final AttributeConverter<Duration> DURATION =
      Forms.number(Duration.class, Duration::toMillis, Duration::ofMillis);

  /** Leaves out attributes with their default values, so that timers stay small. */
  static final TableSchema<Timer> SCHEMA =
      Schema.of(Timer.class, Parts.class, Parts::new, Parts::timer)
          .with(
              "shard",
              SHARD_FORM,
              timer -> requireNonNull(timer.shard()),
              Parts::shard,
              primaryPartitionKey())
          .with("due", TEXT, TimerItem::due, Parts::due, primarySortKey())
          .with("generation", NUMBER, Timer::generation, Parts::generation)
          .with("leaf", JSON, Timer::leafDocument, Parts::leafDocument)
          .optional(
              "catchUp",
              Forms.named(Policy.class),
              it -> unlessDefault(Policy.ALL, it.catchUp().policy()),
              (it, policy) -> it.policy = policy)
          .optional(
              "window", DURATION, it -> it.catchUp().window(), (it, window) -> it.window = window)
          .optional("decidedTo", MILLIS, Timer::decidedTo, Parts::decidedTo)
          .build();

  private TimerItem() {}

  private static final class Parts extends TimerBuilder {

    private Policy policy = Policy.ALL;
    private @Nullable Duration window;

    void due(String due) {
      String[] parts = due.split("#", 4);
      dueAt(Instant.ofEpochMilli(Long.parseLong(parts[0])))
          .id(ScheduleId.parse(parts[1]))
          .activation(Long.parseLong(parts[2]))
          .leaf(Integer.parseInt(parts[3]));
    }

    Timer timer() {
      catchUp(new CatchUp(policy, window));
      return build();
    }
  }

  /**
   * The item with the shard in which a put stores the timer, whatever shard the timer was read
   * from.
   */
  static Item<Timer> of(Timer timer, int shards) {
    return Item.of(timer.in(shardOf(timer.id(), shards)), SCHEMA);
  }

  /** The key under which a put stores the timer. */
  static Key key(Timer timer, int shards) {
    return Schema.key(SCHEMA, timer.in(shardOf(timer.id(), shards)));
  }

  /**
   * The key of the stored item: the key under which the timer was read. If it was not read, the key
   * under which it was put.
   */
  static Key place(Timer timer, int shards) {
    return timer.shard() == null ? key(timer, shards) : Schema.key(SCHEMA, timer);
  }

  private static String due(Timer timer) {
    return String.join(
        "#",
        digits(timer.dueAt()),
        timer.id().toString(),
        Long.toString(timer.activation()),
        Integer.toString(timer.leaf()));
  }

  /** The upper bound of the keys of all timers that are due at or before the instant. */
  static String endOf(Instant instant) {
    return digits(instant.plusMillis(1));
  }

  private static int shardOf(ScheduleId id, int shards) {
    return Math.floorMod(id.toString().hashCode(), shards);
  }

  private static String digits(Instant instant) {
    return String.format(Locale.ROOT, "%015d", instant.toEpochMilli());
  }
}
