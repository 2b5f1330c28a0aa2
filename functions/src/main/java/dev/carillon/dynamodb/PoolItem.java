package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static java.util.Objects.requireNonNull;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;

import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolPull;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.Served;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.StoredPool;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * Pools as items of the table of gates. The definitions of a namespace share a partition, sorted by
 * name; each pool has a partition for its state, its activity and its rows.
 */
final class PoolItem {

  static final String VERSION = "v";
  private static final String STATE_ITEM = "state";
  private static final String PULLS = "pull#";
  private static final String ROUND = "round";

  static final TableSchema<PoolId> KEY =
      Schema.ofKey(
          PoolId.class,
          GateItem.GATE,
          pool -> listOf(pool.namespace()),
          GateItem.ITEM,
          PoolId::name,
          (list, name) -> new PoolId(list.substring(0, list.indexOf('#')), name));

  private static final AttributeConverter<Pool> DOCUMENT =
      Forms.deflated(
          Pool.class,
          pool -> Json.write(pool.document()),
          text -> PoolReader.stored(Json.readObject(text)));

  static final TableSchema<StoredPool> SCHEMA =
      Schema.of(
              StoredPool.class,
              StoredPoolBuilder.class,
              StoredPoolBuilder::builder,
              StoredPoolBuilder::build)
          .flat(KEY, StoredPool::id, StoredPoolBuilder::id)
          .with(VERSION, NUMBER, StoredPool::version, StoredPoolBuilder::version)
          .with("document", DOCUMENT, StoredPool::pool, StoredPoolBuilder::pool)
          .with("createdAt", MILLIS, StoredPool::createdAt, StoredPoolBuilder::createdAt)
          .with("createdBy", TEXT, StoredPool::createdBy, StoredPoolBuilder::createdBy)
          .with("changedAt", MILLIS, StoredPool::changedAt, StoredPoolBuilder::changedAt)
          .with("changedBy", TEXT, StoredPool::changedBy, StoredPoolBuilder::changedBy)
          .build();

  static final TableSchema<PoolId> STATE_KEY =
      Schema.ofKey(
          PoolId.class,
          GateItem.GATE,
          PoolId::toString,
          GateItem.ITEM,
          pool -> STATE_ITEM,
          (pool, item) -> PoolId.parse(pool));

  /** The text is deflated, because the keys of the leaving jobs repeat each other. */
  private static final AttributeConverter<String> STATE_TEXT =
      Forms.deflated(String.class, text -> text, text -> text);

  static final TableSchema<PoolState> STATE =
      Schema.of(PoolState.class, StateParts.class, StateParts::new, StateParts::state)
          .flat(STATE_KEY, PoolState::pool, (it, pool) -> it.pool = pool)
          .with(VERSION, NUMBER, PoolState::version, (it, version) -> it.version = version)
          .with("s", STATE_TEXT, PoolStateText::write, (it, text) -> it.text = text)
          .build();

  static final TableSchema<PoolRow> ROW =
      Schema.of(PoolRow.class, RowParts.class, RowParts::new, RowParts::row)
          .with(
              GateItem.GATE,
              TEXT,
              row -> row.pool().toString(),
              (it, pool) -> it.pool = pool,
              primaryPartitionKey())
          .with(GateItem.ITEM, TEXT, PoolRow::key, (it, key) -> it.key = key, primarySortKey())
          .optional(ROUND, NUMBER, PoolItem::round, (it, round) -> it.round = round)
          .build();

  static final TableSchema<PoolPull> PULL =
      Schema.of(PoolPull.class, PullParts.class, PullParts::new, PullParts::pull)
          .with(
              GateItem.GATE,
              TEXT,
              pull -> pull.pool().toString(),
              (it, pool) -> it.pool = pool,
              primaryPartitionKey())
          .with(
              GateItem.ITEM,
              TEXT,
              pull -> PULLS + pull.requestId(),
              (it, key) -> it.key = key,
              primarySortKey())
          .with("until", MILLIS, PoolPull::until, (it, until) -> it.until = until)
          .with("jobs", TEXT, PoolItem::jobs, (it, jobs) -> it.jobs = jobs)
          .build();

  private PoolItem() {}

  private static String jobs(PoolPull pull) {
    return pull.jobs().stream().map(JobId::toString).collect(Collectors.joining(" "));
  }

  private static final class PullParts {
    private @Nullable String pool;
    private @Nullable String key;
    private @Nullable Instant until;
    private @Nullable String jobs;

    PoolPull pull() {
      return new PoolPull(
          PoolId.parse(requireNonNull(pool)),
          requireNonNull(key).substring(PULLS.length()),
          Arrays.stream(requireNonNull(jobs).split(" ")).map(JobId::parse).toList(),
          requireNonNull(until));
    }
  }

  private static final class StateParts {
    private @Nullable PoolId pool;
    private long version;
    private @Nullable String text;

    PoolState state() {
      return PoolStateText.read(requireNonNull(pool), version, requireNonNull(text));
    }
  }

  private static final class RowParts {
    private @Nullable String pool;
    private @Nullable String key;
    private @Nullable Long round;

    PoolRow row() {
      PoolId of = PoolId.parse(requireNonNull(pool));
      PoolRow row = PoolRow.parse(of, requireNonNull(key), round == null ? 0 : round);
      if (row instanceof Served && round == null) {
        throw new IllegalStateException("a turn lacks its round");
      }
      return row;
    }
  }

  private static @Nullable Long round(PoolRow row) {
    return row instanceof Served served ? served.round() : null;
  }

  /**
   * The partition key of a namespace's definitions of pools. No pool, gate or list of resources has
   * it.
   */
  static String listOf(String namespace) {
    return namespace + "#pools";
  }
}
