package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.keyEqualTo;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThan;

import dev.carillon.dynamodb.Queries.Part;
import dev.carillon.id.AppId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.Schedules.WalkPart;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbIndex;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.ScanEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Pages of the schedules that are not deleted, read from an index. Unreadable schedules are left
 * out.
 */
final class ScheduleListing {

  private static final Logger LOG = LoggerFactory.getLogger(ScheduleListing.class);
  private static final String BEFORE_ALL = " ";

  /** How many heads are read at once, with their definitions. */
  private static final int SMALLEST_CHUNK = 25;

  private static final int LARGEST_CHUNK = 100;

  /** How many heads one page examines at most, however few of them the filter accepts. */
  private static final int MOST_EXAMINED = 2_000;

  private final DynamoDbTable<Item<Head>> heads;
  private final DynamoSchedules schedules;

  ScheduleListing(DynamoDbTable<Item<Head>> heads, DynamoSchedules schedules) {
    this.heads = heads;
    this.schedules = schedules;
  }

  private DynamoDbIndex<Item<Head>> index() {
    return heads.index(HeadItem.INDEX);
  }

  /** Reads the heads that follow a name, in order of name. */
  private interface Heads {
    Chunk after(String name, int count);
  }

  /**
   * @param definitions the definitions that the heads' items contain
   * @param last the name of the last head that was examined; null if there are no more
   */
  private record Chunk(
      List<Head> heads, Map<ScheduleId, Definition> definitions, @Nullable String last) {

    static Chunk of(List<Item<Head>> items, @Nullable String last) {
      return new Chunk(Items.readable(items), DynamoSchedules.definitions(items), last);
    }

    /** Restricts the chunk to some of the heads. */
    Chunk of(Predicate<Head> wanted) {
      return new Chunk(heads.stream().filter(wanted).toList(), definitions, last);
    }
  }

  /** Reads whole pages of the index, but only the programs of the heads. */
  Set<String> programs(String namespace) {
    QueryConditional all = keyEqualTo(it -> it.partitionValue(namespace));
    var pages = index().query(it -> it.queryConditional(all).attributesToProject(HeadItem.PROGRAM));
    return Queries.all(pages).stream()
        .flatMap(item -> Stream.ofNullable(item.attributes().get(HeadItem.PROGRAM)))
        .flatMap(program -> Stream.ofNullable(program.s()))
        .collect(Collectors.toSet());
  }

  Page<StoredSchedule> ofNamespace(
      String namespace, ListFilter filter, int limit, @Nullable String next) {
    return page((name, count) -> indexed(namespace, name, count), filter, limit, next);
  }

  Page<StoredSchedule> among(
      Set<ScheduleId> ids, ListFilter filter, int limit, @Nullable String next) {
    List<ScheduleId> sorted = ids.stream().sorted().toList();
    return page((name, count) -> read(sorted, name, count), filter, limit, next);
  }

  Page<StoredSchedule> ofApp(
      AppMembers members, AppId app, ListFilter filter, int limit, @Nullable String next) {
    return page((name, count) -> named(members, app, name, count), filter, limit, next);
  }

  private Page<StoredSchedule> page(
      Heads source, ListFilter filter, int limit, @Nullable String next) {
    List<StoredSchedule> found = new ArrayList<>();
    String last = next == null ? BEFORE_ALL : next;
    int examined = 0;
    while (last != null && examined < MOST_EXAMINED) {
      int count = Math.max(SMALLEST_CHUNK, Math.min(LARGEST_CHUNK, limit + 1 - found.size()));
      Chunk chunk = source.after(last, count).of(filter::matches);
      if (!fill(found, chunk, filter, limit)) {
        return new Page<>(List.copyOf(found), found.get(limit - 1).head().id().name());
      }
      last = chunk.last();
      examined += count;
    }
    return new Page<>(List.copyOf(found), last);
  }

  /**
   * Adds the schedules that the filter accepts. It reads no definitions beyond the wanted number:
   * if the page is full, a head is enough to show that another page follows.
   *
   * @return false if heads are left over because the page is full
   */
  private boolean fill(List<StoredSchedule> found, Chunk chunk, ListFilter filter, int limit) {
    List<Head> rest = chunk.heads();
    while (!rest.isEmpty() && found.size() < limit) {
      int missing = Math.min(rest.size(), limit - found.size());
      Chunk part = new Chunk(rest.subList(0, missing), chunk.definitions(), chunk.last());
      stored(part).stream().filter(filter::matches).forEach(found::add);
      rest = rest.subList(missing, rest.size());
    }
    return rest.isEmpty();
  }

  private Chunk indexed(String namespace, String after, int count) {
    QueryConditional behind = sortGreaterThan(it -> it.partitionValue(namespace).sortValue(after));
    Part<Head> part =
        Queries.firstPage(index().query(it -> it.queryConditional(behind).limit(count)));
    return Chunk.of(part.items(), part.next(HeadItem.KEY, ScheduleId::name));
  }

  private Chunk read(List<ScheduleId> sorted, String after, int count) {
    List<ScheduleId> rest = sorted.stream().filter(id -> id.name().compareTo(after) > 0).toList();
    List<ScheduleId> ids = rest.subList(0, Math.min(count, rest.size()));
    return read(ids, ids.size() < rest.size() ? ids.get(ids.size() - 1).name() : null);
  }

  private Chunk named(AppMembers members, AppId app, String after, int count) {
    Page<ScheduleId> page = members.schedules(app, after, count);
    return read(page.items(), page.next());
  }

  private Chunk read(List<ScheduleId> ids, @Nullable String last) {
    List<Item<Head>> inOrder = new ArrayList<>(schedules.headItems(ids));
    inOrder.sort(Comparator.comparing(item -> item.text(HeadItem.SCHEDULE)));
    return Chunk.of(inOrder, last).of(head -> !head.isDeleted());
  }

  Page<StoredSchedule> walk(WalkPart part, int limit, @Nullable String next) {
    ScanEnhancedRequest.Builder scan = ScanEnhancedRequest.builder().limit(limit);
    if (part.of() > 1) {
      scan.segment(part.number()).totalSegments(part.of());
    }
    if (next != null) {
      scan.exclusiveStartKey(indexKey(ScheduleId.parse(next)));
    }
    Part<Head> page = Queries.firstPage(index().scan(scan.build()));
    String last = page.next(HeadItem.KEY, ScheduleId::toString);
    Chunk active = Chunk.of(page.items(), last).of(head -> head.state() == ScheduleState.ACTIVE);
    return new Page<>(
        stored(active).stream().filter(it -> it.head().state() == ScheduleState.ACTIVE).toList(),
        last);
  }

  /**
   * Joins heads from an index with their definitions. If a schedule has changed since the index was
   * written, reads the schedule again.
   */
  private List<StoredSchedule> stored(Chunk chunk) {
    Map<ScheduleId, Definition> definitions = new HashMap<>(chunk.definitions());
    definitions.putAll(
        schedules.definitionsOf(
            chunk.heads().stream().filter(head -> !definitions.containsKey(head.id())).toList()));
    List<StoredSchedule> stored = new ArrayList<>();
    for (Head head : chunk.heads()) {
      Definition definition = definitions.get(head.id());
      Optional<StoredSchedule> current =
          definition == null
              ? readNow(head.id())
              : Optional.of(new StoredSchedule(head, definition));
      current.ifPresent(stored::add);
    }
    return stored;
  }

  private Optional<StoredSchedule> readNow(ScheduleId id) {
    try {
      return schedules.find(id);
    } catch (UnreadableSchedules damaged) {
      LOG.error(
          "the schedule {} cannot be read and is left out of lists; store it again", id, damaged);
      return Optional.empty();
    }
  }

  private static Map<String, AttributeValue> indexKey(ScheduleId id) {
    return new Item<>(HeadItem.KEY.itemToMap(id, true), HeadItem.KEY)
        .with(HeadItem.INDEX, Forms.TEXT.transformFrom(id.namespace()))
        .with(HeadItem.NAME, Forms.TEXT.transformFrom(id.name()))
        .attributes();
  }
}
