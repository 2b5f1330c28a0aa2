package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.bytes;
import static dev.carillon.dynamodb.Values.deflated;
import static dev.carillon.dynamodb.Values.inflatedOf;
import static dev.carillon.dynamodb.Values.instantOf;
import static dev.carillon.dynamodb.Values.millis;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.seconds;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.SeenIds.Group;
import dev.carillon.dynamodb.SeenIds.Slice;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Accumulator;
import dev.carillon.job.Accumulator.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.LeafClock;
import dev.carillon.job.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An accumulator and its slices of seen ids as items. */
final class AccumulatorRow {

  static final String ITEM = "accumulator";

  private static final String SLICE_PREFIX = ITEM + "#seen#";
  private static final Duration SLICE_SLACK = Duration.ofDays(1);

  private static final String GENERATION = "g";
  private static final String ACTIVATION = "a";
  private static final String NEXT_SEQUENCE = "n";
  private static final String ADVANCED_TO = "d";
  private static final String OPEN_ID = "i";
  private static final String OPENED_AT = "q";
  private static final String OPEN_OCCASION = "o";
  private static final String CLOCKS = "c";
  private static final String ANNOUNCED_LOOK = "la";
  private static final String FAR_LOOK = "lf";
  private static final String LATEST = "j";
  private static final String SEEN = "s";
  private static final String FIRST_SLICE = "sf";
  private static final String LAST_SLICE = "sl";
  private static final String SLICES_UNTIL = "su";

  private AccumulatorRow() {}

  static Map<String, AttributeValue> key(ScheduleId schedule) {
    return Map.of(JobRow.SCHEDULE, text(schedule.toString()), JobRow.ITEM, text(ITEM));
  }

  static Map<String, AttributeValue> of(Accumulator accumulator, SeenIds seen, int shards) {
    Map<String, AttributeValue> item = new HashMap<>(key(accumulator.schedule()));
    item.put(JobRow.VERSION, number(accumulator.version()));
    item.put(GENERATION, number(accumulator.generation()));
    item.put(ACTIVATION, number(accumulator.activation()));
    item.put(NEXT_SEQUENCE, number(accumulator.nextSequence()));
    item.put(ADVANCED_TO, millis(accumulator.advancedTo()));
    if (accumulator.open() != null) {
      putOpen(item, accumulator.open());
    }
    if (accumulator.latest() != null) {
      item.put(LATEST, text(accumulator.latest().sortKey()));
    }
    putClocks(item, accumulator);
    putAttention(item, accumulator, shards);
    putSeen(item, seen);
    return item;
  }

  private static void putClocks(Map<String, AttributeValue> item, Accumulator accumulator) {
    if (!accumulator.clocks().isEmpty()) {
      ObjectNode clocks = Json.object();
      new TreeMap<>(accumulator.clocks())
          .forEach(
              (leaf, clock) ->
                  clocks
                      .putArray(leaf.toString())
                      .add(clock.first().toEpochMilli())
                      .add(clock.last().toEpochMilli())
                      .add(clock.isSpent()));
      item.put(CLOCKS, text(Json.write(clocks)));
    }
    Look look = accumulator.look();
    if (look != null) {
      item.put(look.isAnnounced() ? ANNOUNCED_LOOK : FAR_LOOK, millis(look.at()));
    }
  }

  private static Map<Integer, LeafClock> readClocks(Map<String, AttributeValue> item) {
    if (!item.containsKey(CLOCKS)) {
      return Map.of();
    }
    Map<Integer, LeafClock> clocks = new TreeMap<>();
    for (Map.Entry<String, JsonNode> leaf : Json.readObject(textOf(item, CLOCKS)).properties()) {
      JsonNode clock = leaf.getValue();
      clocks.put(
          Integer.valueOf(leaf.getKey()),
          new LeafClock(
              Instant.ofEpochMilli(clock.get(0).longValue()),
              Instant.ofEpochMilli(clock.get(1).longValue()),
              clock.get(2).booleanValue()));
    }
    return Collections.unmodifiableMap(clocks);
  }

  private static @Nullable Look readLook(Map<String, AttributeValue> item) {
    if (item.containsKey(ANNOUNCED_LOOK)) {
      return new Look(instantOf(item, ANNOUNCED_LOOK), true);
    }
    return item.containsKey(FAR_LOOK) ? new Look(instantOf(item, FAR_LOOK), false) : null;
  }

  /** A job that waits for events needs no look, but the index counts it. */
  private static void putAttention(
      Map<String, AttributeValue> item, Accumulator accumulator, int shards) {
    Look look = accumulator.look();
    if (look != null || accumulator.open() != null) {
      String schedule = accumulator.schedule().toString();
      item.put(JobRow.ATTENTION_SHARD, JobRow.attentionShard(schedule, shards));
      item.put(JobRow.ATTENTION_AT, millis(look == null ? Job.NEVER : look.attentionAt()));
    }
  }

  private static void putOpen(Map<String, AttributeValue> item, OpenJob open) {
    item.put(OPEN_ID, text(open.id().sortKey()));
    item.put(OPENED_AT, millis(open.openedAt()));
    item.put(OPEN_OCCASION, deflated(OccasionText.write(open.occasion())));
    item.put(JobRow.STATE, text(JobState.PENDING_TRIGGER.name()));
  }

  private static void putSeen(Map<String, AttributeValue> item, SeenIds seen) {
    if (!seen.inline().isEmpty()) {
      item.put(SEEN, bytes(SeenIds.write(seen.inline())));
    }
    if (seen.lastSlice() > 0) {
      item.put(LAST_SLICE, number(seen.lastSlice()));
    }
    if (!seen.slices().isEmpty()) {
      item.put(FIRST_SLICE, number(seen.slices().get(0).number()));
      long newest = seen.slices().stream().mapToLong(Slice::newest).max().orElse(0);
      item.put(SLICES_UNTIL, number(newest));
    }
  }

  static Accumulator read(Map<String, AttributeValue> item) {
    ScheduleId schedule = ScheduleId.parse(textOf(item, JobRow.SCHEDULE));
    return new Accumulator(
        schedule,
        numberOf(item, JobRow.VERSION),
        numberOf(item, GENERATION),
        numberOf(item, ACTIVATION),
        numberOf(item, NEXT_SEQUENCE),
        instantOf(item, ADVANCED_TO),
        readOpen(schedule, item),
        readClocks(item),
        readLook(item),
        item.containsKey(LATEST) ? JobRow.id(schedule, textOf(item, LATEST)) : null);
  }

  private static @Nullable OpenJob readOpen(ScheduleId schedule, Map<String, AttributeValue> item) {
    return item.containsKey(OPEN_ID)
        ? new OpenJob(
            JobRow.id(schedule, textOf(item, OPEN_ID)),
            instantOf(item, OPENED_AT),
            OccasionText.read(inflatedOf(item, OPEN_OCCASION)))
        : null;
  }

  /** The live slices that the accumulator's item names. */
  record Slices(long first, long last) {
    int count() {
      return (int) (last - first + 1);
    }
  }

  /** Null if all that there were are older than the window. */
  static @Nullable Slices slices(Map<String, AttributeValue> item, Instant now) {
    long until = numberOf(item, SLICES_UNTIL, 0);
    return until < now.minus(Jobs.SEEN_WINDOW).toEpochMilli()
        ? null
        : new Slices(numberOf(item, FIRST_SLICE), numberOf(item, LAST_SLICE));
  }

  static SeenIds seen(Map<String, AttributeValue> item, List<Slice> slices) {
    AttributeValue inline = item.get(SEEN);
    List<Group> groups = inline == null ? List.of() : SeenIds.read(inline.b().asByteBuffer());
    return new SeenIds(groups, slices, numberOf(item, LAST_SLICE, 0));
  }

  static Map<String, AttributeValue> sliceItem(ScheduleId schedule, Slice slice) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(JobRow.SCHEDULE, text(schedule.toString()));
    item.put(JobRow.ITEM, text(sliceName(slice.number())));
    item.put(SEEN, bytes(SeenIds.write(slice.groups())));
    Instant newest = Instant.ofEpochMilli(slice.newest());
    item.put(JobRow.EXPIRES_AT, seconds(newest.plus(Jobs.SEEN_WINDOW).plus(SLICE_SLACK)));
    return item;
  }

  static Slice readSlice(Map<String, AttributeValue> item) {
    String number = textOf(item, JobRow.ITEM).substring(SLICE_PREFIX.length());
    AttributeValue seen = item.get(SEEN);
    return new Slice(
        Long.parseLong(number), seen == null ? List.of() : SeenIds.read(seen.b().asByteBuffer()));
  }

  static String sliceName(long number) {
    return SLICE_PREFIX + String.format(Locale.ROOT, "%010d", number);
  }
}
