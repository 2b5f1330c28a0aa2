package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThan;

import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.Queries.Part;
import dev.carillon.id.CalendarId;
import dev.carillon.id.Page;
import dev.carillon.runtime.Fanout;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Calendars on DynamoDB, in the table of schedules. */
public final class DynamoCalendars implements Calendars {

  private final Batches batches;
  private final Writes writes;
  private final Repairs repairs;
  private final DynamoDbTable<Item<StoredCalendar>> calendars;

  public DynamoCalendars(DynamoDbClient client, Tables tables, Fanout fanout) {
    Database database = new Database(client);
    this.batches = database.batches(fanout);
    this.writes = database.writes();
    this.repairs = new Repairs(batches);
    this.calendars = database.table(tables.schedules(), () -> CalendarItem.SCHEMA);
  }

  @Override
  public Map<CalendarId, StoredCalendar> find(Collection<CalendarId> ids) {
    return Items.byKey(
        batches.get(calendars, ids.stream().map(DynamoCalendars::key).toList()),
        CalendarItem.KEY,
        StoredCalendar::id);
  }

  @Override
  public boolean save(@Nullable StoredCalendar before, StoredCalendar after) {
    Expression unchanged =
        before == null
            ? Writes.absent("schedule")
            : Writes.unchanged(CalendarItem.VERSION, before.version());
    return writes.put(calendars, Item.of(after, CalendarItem.SCHEMA), unchanged).isEmpty();
  }

  @Override
  public boolean overwrite(StoredCalendar after) {
    Item<StoredCalendar> item = Item.of(after, CalendarItem.SCHEMA);
    return repairs
        .unreadable(calendars, key(after.id()))
        .filter(stored -> writes.put(calendars, item, Repairs.unchanged(stored)).isEmpty())
        .isPresent();
  }

  @Override
  public boolean delete(StoredCalendar calendar) {
    return writes.delete(calendars, key(calendar.id()), CalendarItem.VERSION, calendar.version());
  }

  @Override
  public Page<StoredCalendar> list(String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    String after = next == null ? " " : next;
    QueryConditional ofNamespace =
        sortGreaterThan(
            it -> it.partitionValue(CalendarItem.partition(namespace)).sortValue(after));
    Part<StoredCalendar> page =
        Queries.firstPage(
            calendars.query(
                it -> it.queryConditional(ofNamespace).consistentRead(true).limit(limit)));
    return new Page<>(page.readable(), page.next(CalendarItem.KEY, CalendarId::name));
  }

  private static Key key(CalendarId id) {
    return Schema.key(CalendarItem.KEY, id);
  }
}
