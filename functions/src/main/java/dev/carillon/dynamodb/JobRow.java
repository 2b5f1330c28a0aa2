package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.deflated;
import static dev.carillon.dynamodb.Values.inflatedOf;
import static dev.carillon.dynamodb.Values.instantOf;
import static dev.carillon.dynamodb.Values.instantOrNull;
import static dev.carillon.dynamodb.Values.millis;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.required;
import static dev.carillon.dynamodb.Values.seconds;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.document.Json;
import dev.carillon.id.Attention;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A job as an item. Names are short and what follows from the key or is usual is left out: the row
 * of a plain fire costs one write unit as long as it stays below 1 KB.
 */
final class JobRow {

  static final String SCHEDULE = "schedule";
  static final String ITEM = "item";
  static final String PREFIX = "job#";

  /** The names of the key's attributes. */
  static final List<String> KEY = List.of(SCHEDULE, ITEM);

  static final String STATE = "state";
  static final String VERSION = "v";
  static final String ATTENTION_SHARD = "attentionShard";
  static final String ATTENTION_AT = "attentionAt";
  static final String EXPIRES_AT = "expiresAt";

  private static final String ACTIVATION = "a";
  private static final String ATTEMPT = "t";
  private static final String PROGRAM = "p";
  private static final String CUSTOMER = "c";
  private static final String PRIORITY = "r";
  private static final String SCHEDULED_FOR = "f";
  private static final String TRIGGERED_AT = "g";
  private static final String LAUNCHED_AT = "l";
  private static final String LAUNCHING_UNTIL = "u";
  private static final String NOT_BEFORE = "b";
  private static final String REFUSALS = "x";
  private static final String OCCASION = "o";
  private static final String LAUNCH_NOW = "n";
  private static final String PASSAGE = "q";
  private static final String HISTORY = "h";

  private JobRow() {}

  static Map<String, AttributeValue> key(JobId id) {
    return Map.of(SCHEDULE, text(id.schedule().toString()), ITEM, text(PREFIX + id.sortKey()));
  }

  static JobId id(Map<String, AttributeValue> item) {
    ScheduleId schedule = ScheduleId.parse(textOf(item, SCHEDULE));
    String sortKey = textOf(item, ITEM).substring(PREFIX.length());
    return id(schedule, sortKey);
  }

  static JobId id(ScheduleId schedule, String sortKey) {
    return JobId.parse(schedule.namespace() + "~" + schedule.name() + "~" + sortKey);
  }

  /**
   * @param retention how long the job is kept after its end, and after the instant of its id
   */
  static Map<String, AttributeValue> of(Job job, int attentionShards, Duration retention) {
    Map<String, AttributeValue> item = new HashMap<>(key(job.id()));
    item.put(STATE, text(job.state().name()));
    item.put(VERSION, number(job.version()));
    item.put(ACTIVATION, number(job.activation()));
    item.put(PROGRAM, text(job.program()));
    item.put(HISTORY, text(TransitionsText.write(job.transitions())));
    putUnlessUsual(item, job);
    putInstants(item, job);
    putAttention(item, job, attentionShards);
    Instant endedAt = job.endedAt();
    if (endedAt != null) {
      item.put(EXPIRES_AT, seconds(later(endedAt, job.id().at()).plus(retention)));
    }
    return item;
  }

  /** A fire that was skipped ahead of time must find its row when it is due. */
  private static Instant later(Instant endedAt, Instant instant) {
    return endedAt.isBefore(instant) ? instant : endedAt;
  }

  private static void putUnlessUsual(Map<String, AttributeValue> item, Job job) {
    if (job.attempt() != 1) {
      item.put(ATTEMPT, number(job.attempt()));
    }
    if (job.customer() != null) {
      item.put(CUSTOMER, text(job.customer()));
    }
    if (job.priority() != Job.DEFAULT_PRIORITY) {
      item.put(PRIORITY, number(job.priority()));
    }
    if (job.refusals() != 0) {
      item.put(REFUSALS, number(job.refusals()));
    }
    if (job.passage() != null) {
      item.put(PASSAGE, text(PassageText.write(job.passage())));
    }
    if (job.occasion() != null) {
      item.put(OCCASION, deflated(OccasionText.write(job.occasion())));
    }
    if (job.launchNow() != null) {
      item.put(LAUNCH_NOW, deflated(Json.write(job.launchNow())));
    }
  }

  private static void putInstants(Map<String, AttributeValue> item, Job job) {
    putUnlessId(item, SCHEDULED_FOR, job.scheduledFor(), job.id());
    putUnlessId(item, TRIGGERED_AT, job.triggeredAt(), job.id());
    put(item, LAUNCHED_AT, job.launchedAt());
    put(item, LAUNCHING_UNTIL, job.launchingUntil());
    put(item, NOT_BEFORE, job.notBefore());
  }

  private static void putUnlessId(
      Map<String, AttributeValue> item, String name, Instant value, JobId id) {
    if (!value.equals(id.at())) {
      item.put(name, millis(value));
    }
  }

  private static void put(Map<String, AttributeValue> item, String name, @Nullable Instant value) {
    if (value != null) {
      item.put(name, millis(value));
    }
  }

  private static void putAttention(Map<String, AttributeValue> item, Job job, int shards) {
    if (job.attentionAt() != null) {
      item.put(ATTENTION_SHARD, attentionShard(job.id().toString(), shards));
      item.put(ATTENTION_AT, attentionAt(job.attentionAt(), job.priority()));
    }
  }

  static AttributeValue attentionShard(String id, int shards) {
    return attentionShard(Math.floorMod(id.hashCode(), shards));
  }

  static AttributeValue attentionShard(int shard) {
    return text(Integer.toString(shard));
  }

  /** Milliseconds, and behind the point the priority: what comes at one instant sorts by it. */
  static AttributeValue attentionAt(Instant at, int priority) {
    return AttributeValue.fromN(at.toEpochMilli() + (priority == 0 ? "" : "." + priority));
  }

  static Instant attentionInstant(Map<String, AttributeValue> item) {
    return Instant.ofEpochMilli(new BigDecimal(required(item, ATTENTION_AT).n()).longValue());
  }

  static Attention attention(Map<String, AttributeValue> item) {
    BigDecimal number = new BigDecimal(required(item, ATTENTION_AT).n());
    BigDecimal priority = number.remainder(BigDecimal.ONE).movePointRight(1);
    Instant at = attentionInstant(item);
    if (BackfillRow.is(item)) {
      return new Attention(BackfillRow.id(item), at, priority.intValue());
    }
    return isAccumulator(item)
        ? new Attention(JobId.ofLook(ScheduleId.parse(textOf(item, SCHEDULE)), at), at, 0)
        : new Attention(id(item), at, priority.intValue());
  }

  /** It stands for the look that it needs. */
  private static boolean isAccumulator(Map<String, AttributeValue> item) {
    return textOf(item, ITEM).equals(AccumulatorRow.ITEM);
  }

  /** What {@link #attention} was read from. */
  static Map<String, AttributeValue> attentionKey(Attention attention, int shard) {
    Map<String, AttributeValue> key = new HashMap<>(key(attention.subject()));
    key.put(ATTENTION_SHARD, attentionShard(shard));
    key.put(ATTENTION_AT, attentionAt(attention.at(), attention.priority()));
    return key;
  }

  private static Map<String, AttributeValue> key(Subject subject) {
    if (subject instanceof BackfillId backfill) {
      return BackfillRow.key(backfill);
    }
    JobId id = (JobId) subject;
    return id.isLook() ? AccumulatorRow.key(id.schedule()) : key(id);
  }

  static Job read(Map<String, AttributeValue> item) {
    JobId id = id(item);
    return new Job(
        id,
        numberOf(item, ACTIVATION),
        JobState.valueOf(textOf(item, STATE)),
        numberOf(item, VERSION),
        (int) numberOf(item, ATTEMPT, 1),
        textOf(item, PROGRAM),
        item.containsKey(CUSTOMER) ? textOf(item, CUSTOMER) : null,
        (int) numberOf(item, PRIORITY, Job.DEFAULT_PRIORITY),
        item.containsKey(SCHEDULED_FOR) ? instantOf(item, SCHEDULED_FOR) : id.at(),
        item.containsKey(TRIGGERED_AT) ? instantOf(item, TRIGGERED_AT) : id.at(),
        instantOrNull(item, LAUNCHED_AT),
        instantOrNull(item, LAUNCHING_UNTIL),
        instantOrNull(item, NOT_BEFORE),
        item.containsKey(ATTENTION_AT) ? attentionInstant(item) : null,
        (int) numberOf(item, REFUSALS, 0),
        item.containsKey(OCCASION) ? OccasionText.read(inflatedOf(item, OCCASION)) : null,
        item.containsKey(LAUNCH_NOW) ? Json.readObject(inflatedOf(item, LAUNCH_NOW)) : null,
        item.containsKey(PASSAGE) ? PassageText.read(textOf(item, PASSAGE), id) : null,
        TransitionsText.read(textOf(item, HISTORY)));
  }
}
