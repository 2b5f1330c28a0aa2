package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Schema.unlessDefault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.calendar.StoredCalendar.Former;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * A calendar as an item of the table of schedules. The calendars of a namespace share a partition
 * and appear in no index.
 */
final class CalendarItem {

  static final String VERSION = "version";
  private static final String SUFFIX = "#calendars";
  private static final String FORMER_VERSIONS = "versions";
  private static final CalendarReader READER = new CalendarReader(ZoneOffset.UTC);

  static final TableSchema<CalendarId> KEY =
      Schema.ofKey(
          CalendarId.class,
          "schedule",
          id -> partition(id.namespace()),
          "item",
          CalendarId::name,
          (key, name) -> new CalendarId(key.substring(0, key.length() - SUFFIX.length()), name));

  private static final AttributeConverter<NamedCalendar> DOCUMENT =
      Forms.deflated(
          NamedCalendar.class,
          calendar -> Json.write(calendar.document()),
          text -> READER.read(Json.readObject(text)));

  private static final AttributeConverter<List<Former>> FORMER =
      Forms.deflated(
          EnhancedType.listOf(Former.class),
          CalendarItem::write,
          text -> read(Json.readObject(text)));

  static final TableSchema<StoredCalendar> SCHEMA =
      Schema.of(
              StoredCalendar.class,
              StoredCalendarBuilder.class,
              () -> StoredCalendarBuilder.builder().former(List.of()),
              StoredCalendarBuilder::build)
          .flat(KEY, StoredCalendar::id, StoredCalendarBuilder::id)
          .written("in", TEXT, calendar -> calendar.id().namespace())
          .with(VERSION, NUMBER, StoredCalendar::version, StoredCalendarBuilder::version)
          .with("current", DOCUMENT, StoredCalendar::current, StoredCalendarBuilder::current)
          .optional(
              "former",
              FORMER,
              calendar -> unlessDefault(List.of(), calendar.former()),
              StoredCalendarBuilder::former)
          .with("createdAt", MILLIS, StoredCalendar::createdAt, StoredCalendarBuilder::createdAt)
          .with("createdBy", TEXT, StoredCalendar::createdBy, StoredCalendarBuilder::createdBy)
          .with("changedAt", MILLIS, StoredCalendar::changedAt, StoredCalendarBuilder::changedAt)
          .with("changedBy", TEXT, StoredCalendar::changedBy, StoredCalendarBuilder::changedBy)
          .build();

  private CalendarItem() {}

  private static String write(List<Former> former) {
    ObjectNode written = Json.object();
    ArrayNode list = written.putArray(FORMER_VERSIONS);
    for (Former one : former) {
      ObjectNode item = list.addObject().put("until", one.until().toEpochMilli());
      item.set("calendar", one.calendar().document());
    }
    return Json.write(written);
  }

  private static List<Former> read(ObjectNode written) {
    List<Former> former = new ArrayList<>();
    for (JsonNode one : written.path(FORMER_VERSIONS)) {
      Instant until = Instant.ofEpochMilli(one.path("until").longValue());
      former.add(new Former(READER.read(one.path("calendar")), until));
    }
    return former;
  }

  /**
   * The partition key of a namespace's calendars. No schedule has it, because the partition key of
   * a schedule contains a slash.
   */
  static String partition(String namespace) {
    return namespace + SUFFIX;
  }
}
