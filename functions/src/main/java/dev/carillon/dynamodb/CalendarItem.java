package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;

import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import java.time.ZoneOffset;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * A calendar as an item of the table of schedules. The calendars of a namespace share a partition
 * and appear in no index.
 */
final class CalendarItem {

  static final String VERSION = "version";
  private static final String SUFFIX = "#calendars";
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

  static final TableSchema<StoredCalendar> SCHEMA =
      Schema.of(
              StoredCalendar.class,
              StoredCalendarBuilder.class,
              StoredCalendarBuilder::builder,
              StoredCalendarBuilder::build)
          .flat(KEY, StoredCalendar::id, StoredCalendarBuilder::id)
          .written("in", TEXT, calendar -> calendar.id().namespace())
          .with(VERSION, NUMBER, StoredCalendar::version, StoredCalendarBuilder::version)
          .with("current", DOCUMENT, StoredCalendar::current, StoredCalendarBuilder::current)
          .optional("before", DOCUMENT, StoredCalendar::before, StoredCalendarBuilder::before)
          .with("createdAt", MILLIS, StoredCalendar::createdAt, StoredCalendarBuilder::createdAt)
          .with("createdBy", TEXT, StoredCalendar::createdBy, StoredCalendarBuilder::createdBy)
          .with("changedAt", MILLIS, StoredCalendar::changedAt, StoredCalendarBuilder::changedAt)
          .with("changedBy", TEXT, StoredCalendar::changedBy, StoredCalendarBuilder::changedBy)
          .build();

  private CalendarItem() {}

  /**
   * The partition key of a namespace's calendars. No schedule has it, because the partition key of
   * a schedule contains a slash.
   */
  static String partition(String namespace) {
    return namespace + SUFFIX;
  }
}
