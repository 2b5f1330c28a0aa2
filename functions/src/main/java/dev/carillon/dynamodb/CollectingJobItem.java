package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.PLAN;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Schema.unlessDefault;
import static java.util.Objects.requireNonNull;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.SeenIds.Group;
import dev.carillon.dynamodb.SeenIds.Slice;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.LeafClock;
import dev.carillon.job.TriggerState;
import dev.carillon.job.Wait;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/** A collecting job and the slices of its seen ids as items. */
final class CollectingJobItem {

  static final String ITEM = "collecting";

  private static final String SLICE_PREFIX = ITEM + "#seen#";
  private static final Duration SLICE_SLACK = Duration.ofDays(1);

  static final TableSchema<ScheduleId> KEY =
      Schema.ofKey(
          ScheduleId.class,
          JobItem.SCHEDULE,
          ScheduleId::toString,
          JobItem.ITEM,
          id -> ITEM,
          (schedule, item) -> ScheduleId.parse(schedule));

  private static final AttributeConverter<Map<Integer, LeafClock>> CLOCKS =
      Forms.text(
          EnhancedType.mapOf(Integer.class, LeafClock.class),
          CollectingJobItem::write,
          CollectingJobItem::read);

  private static final AttributeConverter<List<Group>> GROUPS =
      Forms.bytes(
          EnhancedType.listOf(Group.class),
          SeenIds::write,
          bytes -> SeenIds.read(ByteBuffer.wrap(bytes)));

  static final TableSchema<CollectingJob> SCHEMA =
      Schema.of(CollectingJob.class, Parts.class, Parts::new, Parts::collectingJob)
          .flat(KEY, CollectingJob::schedule, Parts::schedule)
          .with(JobItem.VERSION, NUMBER, CollectingJob::version, Parts::version)
          .with("g", NUMBER, CollectingJob::generation, Parts::generation)
          .with("a", NUMBER, CollectingJob::activation, Parts::activation)
          .with("n", NUMBER, CollectingJob::nextSequence, Parts::nextSequence)
          .with("d", MILLIS, CollectingJob::advancedTo, Parts::advancedTo)
          .optional("i", TEXT, open(job -> job.id().sortKey()), (it, id) -> it.openId = id)
          .optional("q", MILLIS, open(OpenJob::openedAt), (it, at) -> it.openedAt = at)
          .optional(
              "o",
              JobItem.TRIGGER_STATE,
              open(OpenJob::triggerState),
              (it, of) -> it.triggerState = of)
          .written(JobItem.STATE, TEXT, open(job -> JobState.PENDING_TRIGGER.name()))
          .optional(
              "j",
              TEXT,
              it -> it.latest() == null ? null : it.latest().sortKey(),
              (it, id) -> it.latestId = id)
          .optional("c", CLOCKS, it -> unlessDefault(Map.of(), it.clocks()), Parts::clocks)
          .optional("p", PLAN, CollectingJob::wakeup, Parts::wakeup)
          .written(AttentionItem.AT, MILLIS, CollectingJobItem::attentionAt)
          .build();

  static final TableSchema<StoredSlice> SLICE =
      Schema.of(
              StoredSlice.class,
              CollectingJobItemStoredSliceBuilder.class,
              () -> CollectingJobItemStoredSliceBuilder.builder().groups(List.of()),
              CollectingJobItemStoredSliceBuilder::build)
          .with(
              JobItem.SCHEDULE,
              TEXT,
              StoredSlice::schedule,
              CollectingJobItemStoredSliceBuilder::schedule,
              primaryPartitionKey())
          .with(
              JobItem.ITEM,
              TEXT,
              StoredSlice::item,
              CollectingJobItemStoredSliceBuilder::item,
              primarySortKey())
          .optional("s", GROUPS, StoredSlice::groups, CollectingJobItemStoredSliceBuilder::groups)
          .build();

  private static final TableSchema<Seen> SEEN =
      Schema.of(
              Seen.class,
              CollectingJobItemSeenBuilder.class,
              () -> CollectingJobItemSeenBuilder.builder().groups(List.of()),
              CollectingJobItemSeenBuilder::build)
          .optional(
              "s",
              GROUPS,
              it -> unlessDefault(List.of(), it.groups()),
              CollectingJobItemSeenBuilder::groups)
          .optional(
              "sf",
              NUMBER,
              it -> unlessDefault(0L, it.firstSlice()),
              CollectingJobItemSeenBuilder::firstSlice)
          .optional(
              "sl",
              NUMBER,
              it -> unlessDefault(0L, it.lastSlice()),
              CollectingJobItemSeenBuilder::lastSlice)
          .optional(
              "su",
              NUMBER,
              it -> unlessDefault(0L, it.until()),
              CollectingJobItemSeenBuilder::until)
          .build();

  private CollectingJobItem() {}

  /**
   * The summary of seen ids in a collecting job's item.
   *
   * @param firstSlice the oldest live slice; 0 if there is none
   * @param lastSlice the newest slice ever written; 0 if there is none
   * @param until when the newest id in a slice was seen
   */
  record Seen(List<Group> groups, long firstSlice, long lastSlice, long until) {}

  /** A slice of seen ids with its key. */
  record StoredSlice(String schedule, String item, List<Group> groups) {
    Slice slice() {
      return new Slice(Long.parseLong(item.substring(SLICE_PREFIX.length())), groups);
    }
  }

  /** Collects the seen ids without their schedule, which the item's key holds. */
  private static final class Parts extends CollectingJobBuilder {

    private @Nullable String openId;
    private @Nullable Instant openedAt;
    private @Nullable TriggerState triggerState;
    private @Nullable String latestId;

    Parts() {
      clocks(Map.of());
    }

    CollectingJob collectingJob() {
      if (openId != null) {
        JobId id = JobItem.id(schedule(), openId);
        open(new OpenJob(id, requireNonNull(openedAt), requireNonNull(triggerState)));
      }
      latest(latestId == null ? null : JobItem.id(schedule(), latestId));
      return build();
    }
  }

  private static <V> Function<CollectingJob, @Nullable V> open(Function<OpenJob, V> member) {
    return it -> it.open() == null ? null : member.apply(it.open());
  }

  /**
   * The instant in the attention index. A job that waits only for events has no wake-up, but it
   * needs an entry, because the index counts it.
   */
  private static @Nullable Instant attentionAt(CollectingJob it) {
    if (it.wakeup() == null) {
      return it.open() == null ? null : Wait.NEVER;
    }
    return it.wakeup().attentionAt();
  }

  static Item<CollectingJob> of(CollectingJob collectingJob, SeenIds seen, int shards) {
    List<Slice> slices = seen.slices();
    long first = slices.isEmpty() ? 0 : slices.get(0).number();
    long newest = slices.stream().mapToLong(Slice::newest).max().orElse(0);
    Seen summary = new Seen(seen.inline(), first, seen.lastSlice(), newest);
    return AttentionItem.sharded(Item.of(collectingJob, SCHEMA), collectingJob.schedule(), shards)
        .with(SEEN.itemToMap(summary, true));
  }

  private static String write(Map<Integer, LeafClock> clocks) {
    ObjectNode text = Json.object();
    new TreeMap<>(clocks)
        .forEach(
            (leaf, clock) ->
                text.putArray(leaf.toString())
                    .add(clock.first().toEpochMilli())
                    .add(clock.last().toEpochMilli())
                    .add(clock.isSpent()));
    return Json.write(text);
  }

  private static Map<Integer, LeafClock> read(String text) {
    Map<Integer, LeafClock> clocks = new TreeMap<>();
    for (Map.Entry<String, JsonNode> leaf : Json.readObject(text).properties()) {
      Instant first = Instant.ofEpochMilli(leaf.getValue().get(0).longValue());
      Instant last = Instant.ofEpochMilli(leaf.getValue().get(1).longValue());
      boolean isSpent = leaf.getValue().get(2).booleanValue();
      clocks.put(Integer.valueOf(leaf.getKey()), new LeafClock(first, last, isSpent));
    }
    return Collections.unmodifiableMap(clocks);
  }

  /** The range of live slices that a collecting job's item names. */
  record Slices(long first, long last) {
    int count() {
      return (int) (last - first + 1);
    }
  }

  /** The live slices of an item; null if every slice is older than the window. */
  static @Nullable Slices slices(Item<CollectingJob> item, Instant now) {
    Seen seen = SEEN.mapToItem(item.attributes(), true);
    return seen.until() < now.minus(Jobs.SEEN_WINDOW).toEpochMilli()
        ? null
        : new Slices(seen.firstSlice(), seen.lastSlice());
  }

  static SeenIds seen(Item<CollectingJob> item, List<Slice> slices) {
    Seen seen = SEEN.mapToItem(item.attributes(), true);
    return new SeenIds(seen.groups(), slices, seen.lastSlice());
  }

  static Item<StoredSlice> of(ScheduleId schedule, Slice slice) {
    Instant newest = Instant.ofEpochMilli(slice.newest());
    return Item.of(
            new StoredSlice(schedule.toString(), sliceName(slice.number()), slice.groups()), SLICE)
        .expiring(newest.plus(Jobs.SEEN_WINDOW).plus(SLICE_SLACK));
  }

  static String sliceName(long number) {
    return SLICE_PREFIX + String.format(Locale.ROOT, "%010d", number);
  }
}
