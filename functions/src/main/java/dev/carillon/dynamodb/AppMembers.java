package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBeginsWith;

import dev.carillon.dynamodb.Queries.Part;
import dev.carillon.dynamodb.Writes.Write;
import dev.carillon.id.AppId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The schedules of each app. For each of its schedules, an app has an item that consists only of
 * its key, in the partition of the app's own item. This item is written in the transaction that
 * stores the schedule's head, and only if the schedule joins or leaves the app.
 */
final class AppMembers {

  private static final String PREFIX = "member#";

  private static final TableSchema<Member> SCHEMA =
      Schema.ofKey(
          Member.class,
          "schedule",
          member -> AppItem.partition(member.app()),
          "item",
          member -> PREFIX + member.name(),
          (partition, item) -> new Member(AppItem.id(partition), item.substring(PREFIX.length())));

  private final DynamoDbTable<Item<Member>> members;

  AppMembers(Database database, Tables tables) {
    this.members = database.table(tables.schedules(), () -> SCHEMA);
  }

  /**
   * @param name the name of a schedule in the app's namespace
   */
  private record Member(AppId app, String name) {

    ScheduleId id() {
      return new ScheduleId(app.namespace(), name);
    }
  }

  /** One page of an app's schedules, by name. The read is strongly consistent. */
  Page<ScheduleId> schedules(AppId app, @Nullable String after, int limit) {
    QueryConditional ofApp =
        sortBeginsWith(it -> it.partitionValue(AppItem.partition(app)).sortValue(PREFIX));
    QueryEnhancedRequest.Builder query =
        QueryEnhancedRequest.builder().queryConditional(ofApp).consistentRead(true).limit(limit);
    if (after != null) {
      query.exclusiveStartKey(SCHEMA.itemToMap(new Member(app, after), true));
    }
    Part<Member> part = Queries.firstPage(members.query(query.build()));
    return new Page<>(
        part.readable().stream().map(Member::id).toList(), part.next(SCHEMA, Member::name));
  }

  /** The writes that belong to a change of a schedule. */
  List<Write> writes(Change change) {
    return writes(appOf(change.before()), change.after());
  }

  /** The writes that belong to a change that replaces an unreadable head. */
  List<Write> writes(Item<Head> unreadable, Head after) {
    AttributeValue app = unreadable.attributes().get(HeadItem.APP);
    return writes(app == null ? null : app.s(), after);
  }

  private List<Write> writes(@Nullable String before, Head after) {
    String app = appOf(after);
    List<Write> writes = new ArrayList<>();
    if (Objects.equals(before, app)) {
      return writes;
    }
    if (before != null) {
      writes.add(Writes.deleting(members, members.keyFrom(item(before, after.id()))));
    }
    if (app != null) {
      writes.add(Writes.putting(members, item(app, after.id())));
    }
    return writes;
  }

  private static @Nullable String appOf(@Nullable Head head) {
    return head == null || head.isDeleted() ? null : head.app();
  }

  private static Item<Member> item(String app, ScheduleId id) {
    return Item.of(new Member(new AppId(id.namespace(), app), id.name()), SCHEMA);
  }
}
