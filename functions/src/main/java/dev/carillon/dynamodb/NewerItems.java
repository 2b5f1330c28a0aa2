package dev.carillon.dynamodb;

import dev.carillon.app.App;
import dev.carillon.backfill.Backfill;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.gate.Gate;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.SuspendedJob;
import dev.carillon.pool.PoolPull;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.StoredPool;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.timer.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Converts records into what this version would read if a newer version had stored them. To do so,
 * it adds unknown attributes to their items. Stores in memory keep no items. With the converted
 * records, they answer as the stores with items do.
 */
public final class NewerItems {

  private static final Duration RETENTION = Duration.ofDays(1);

  private NewerItems() {}

  /**
   * Reads a record from the item of a newer version.
   *
   * @return the record; empty if it has no item of its own
   */
  public static Optional<Object> read(Object record) {
    return item(record).map(item -> new Item<>(newer(item.attributes()), item.schema()).record());
  }

  private static Optional<Item<?>> item(Object record) {
    if (record instanceof Job job) {
      return Optional.of(JobItem.of(job, 1, RETENTION));
    }
    if (record instanceof CollectingJob collecting) {
      return Optional.of(CollectingJobItem.of(collecting, SeenIds.NONE, 1));
    }
    if (record instanceof Backfill backfill) {
      return Optional.of(BackfillItem.of(backfill, 1, RETENTION));
    }
    if (record instanceof Gate gate) {
      return Optional.of(GateItem.of(gate, 1));
    }
    if (record instanceof Timer timer) {
      return timer.shard() == null ? Optional.empty() : as(timer, TimerItem.SCHEMA);
    }
    return itemOfSchedules(record).or(() -> itemOfPools(record));
  }

  private static Optional<Item<?>> itemOfSchedules(Object record) {
    if (record instanceof Head head) {
      return as(head, HeadItem.SCHEMA);
    }
    if (record instanceof Definition definition) {
      return as(definition, DefinitionItem.SCHEMA);
    }
    if (record instanceof App app) {
      return as(app, AppItem.SCHEMA);
    }
    if (record instanceof SuspendedJob held) {
      return as(held, HeldItem.SCHEMA);
    }
    return record instanceof StoredCalendar calendar
        ? as(calendar, CalendarItem.SCHEMA)
        : Optional.empty();
  }

  private static Optional<Item<?>> itemOfPools(Object record) {
    if (record instanceof StoredPool pool) {
      return as(pool, PoolItem.SCHEMA);
    }
    if (record instanceof PoolState state) {
      return as(state, PoolItem.STATE);
    }
    if (record instanceof PoolPull pull) {
      return as(pull, PoolItem.PULL);
    }
    return record instanceof PoolRow row ? as(row, PoolItem.ROW) : Optional.empty();
  }

  private static <T> Optional<Item<?>> as(T record, TableSchema<T> schema) {
    return Optional.of(Item.of(record, schema));
  }

  /**
   * The item with additional attributes that only a newer version knows. The maps in the item get
   * such attributes too.
   */
  static Map<String, AttributeValue> newer(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> newer = new HashMap<>();
    item.forEach(
        (name, value) ->
            newer.put(name, value.hasM() ? AttributeValue.fromM(newer(value.m())) : value));
    newer.put("newerText", AttributeValue.fromS("x"));
    newer.put(
        "newerMap",
        AttributeValue.fromM(
            Map.of("newerList", AttributeValue.fromL(List.of(AttributeValue.fromN("1"))))));
    return newer;
  }
}
