package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.document.Bounds;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.Schedules;
import dev.carillon.time.Timestamps;
import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Named calendars: create, replace, read, list, delete. */
final class CalendarRoutes {

  private static final int MOST_USERS_NAMED = 10;

  private final Calendars calendars;
  private final Schedules schedules;
  private final CalendarReader reader;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  CalendarRoutes(
      Calendars calendars,
      Schedules schedules,
      CalendarReader reader,
      OptimisticUpdate updates,
      InstantSource clock) {
    this.calendars = calendars;
    this.schedules = schedules;
    this.reader = reader;
    this.updates = updates;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent get(Call call) {
    return answer(200, required(call.calendarId()));
  }

  APIGatewayProxyResponseEvent put(Call call) {
    CalendarId id = call.calendarId();
    NamedCalendar wanted = read(call);
    Conditions conditions = Conditions.of(call);
    return updates.run(
        "the calendar " + id,
        () -> {
          StoredCalendar stored = find(id);
          conditions.check("calendar", etag(stored));
          return stored(id, stored, wanted, call.caller());
        });
  }

  private Attempt<APIGatewayProxyResponseEvent> stored(
      CalendarId id, @Nullable StoredCalendar stored, NamedCalendar wanted, String caller) {
    if (stored != null && stored.current().document().equals(wanted.document())) {
      return Attempt.done(answer(200, stored));
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    StoredCalendar next =
        stored == null
            ? StoredCalendar.created(id, wanted, now, caller)
            : stored.changed(wanted, now, caller);
    return Attempt.of(calendars.save(stored, next), answer(stored == null ? 201 : 200, next));
  }

  private NamedCalendar read(Call call) {
    try {
      return reader.read(call.body(Bounds.MOST_BYTES));
    } catch (InvalidDocument invalid) {
      throw Problem.invalid(invalid.faults());
    }
  }

  APIGatewayProxyResponseEvent delete(Call call) {
    CalendarId id = call.calendarId();
    Conditions conditions = Conditions.of(call);
    updates.untilStored(
        "the calendar " + id,
        () -> {
          StoredCalendar stored = required(id);
          conditions.check("calendar", etag(stored));
          refuseWhileUsed(id);
          return calendars.delete(stored);
        });
    return Answer.empty(204);
  }

  private void refuseWhileUsed(CalendarId id) {
    Set<ScheduleId> users = schedules.withEventKey(id.namespace(), Trigger.calendarKey(id.name()));
    if (!users.isEmpty()) {
      String named =
          users.stream()
              .map(ScheduleId::name)
              .sorted()
              .limit(MOST_USERS_NAMED)
              .collect(Collectors.joining(", "));
      int others = users.size() - MOST_USERS_NAMED;
      throw Problem.conflict(
          "the calendar %s is excluded by %s%s; take it out there first"
              .formatted(id.name(), named, others > 0 ? " and " + others + " others" : ""));
    }
  }

  APIGatewayProxyResponseEvent list(Call call) {
    String namespace = call.namespace();
    Faults faults = new Faults();
    Fields query = call.query(faults, List.of("limit", "next"));
    int limit = Listing.limit(query);
    String list = "calendars " + namespace;
    String from = Cursor.open(query, list, Cursor::isName);
    Problem.refuse(faults);
    return Answer.of(
        200,
        Listing.fitting(
            limit,
            items -> {
              Page<StoredCalendar> page = calendars.list(namespace, items, from);
              List<ObjectNode> views = page.items().stream().map(CalendarRoutes::view).toList();
              return Listing.page("calendars", views, Cursor.seal(list, page.next()));
            }));
  }

  private StoredCalendar required(CalendarId id) {
    StoredCalendar stored = find(id);
    if (stored == null) {
      throw Problem.notFound("there is no calendar " + id);
    }
    return stored;
  }

  private @Nullable StoredCalendar find(CalendarId id) {
    return calendars.find(List.of(id)).get(id);
  }

  private static @Nullable String etag(@Nullable StoredCalendar stored) {
    return stored == null ? null : Conditions.etag(stored.version());
  }

  private static APIGatewayProxyResponseEvent answer(int status, StoredCalendar stored) {
    return Answer.of(status, view(stored), Map.of("ETag", Conditions.etag(stored.version())));
  }

  private static ObjectNode view(StoredCalendar stored) {
    return Json.object()
        .put("namespace", stored.id().namespace())
        .put("name", stored.id().name())
        .put("etag", Conditions.etag(stored.version()))
        .put("createdAt", Timestamps.text(stored.createdAt()))
        .put("createdBy", stored.createdBy())
        .put("updatedAt", Timestamps.text(stored.changedAt()))
        .put("updatedBy", stored.changedBy())
        .set("calendar", stored.current().document());
  }
}
