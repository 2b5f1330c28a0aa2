package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.document.Bounds;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
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
import org.jspecify.annotations.Nullable;

/** Creates, replaces, reads, lists and deletes named calendars. */
final class CalendarRoutes {

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
    CalendarId id = call.calendarId();
    return answer(200, required(calendars.find(List.of(id)).get(id), id));
  }

  APIGatewayProxyResponseEvent put(Call call) {
    CalendarId id = call.calendarId();
    boolean isDryRun = call.isDryRun();
    NamedCalendar wanted = read(call);
    Conditions conditions = Conditions.of(call);
    if (isDryRun) {
      NamedItem<StoredCalendar> found = found(id);
      conditions.check("calendar", found.etag());
      return considered(id, found.item(), wanted, call.caller());
    }
    return updates.run(
        "the calendar " + id,
        () -> {
          NamedItem<StoredCalendar> found = found(id);
          conditions.check("calendar", found.etag());
          if (found.isUnreadable()) {
            StoredCalendar next = StoredCalendar.created(id, wanted, now(), call.caller());
            return Attempt.of(calendars.overwrite(next), answer(200, next));
          }
          return stored(id, found.item(), wanted, call.caller());
        });
  }

  private NamedItem<StoredCalendar> found(CalendarId id) {
    return NamedItem.of(() -> calendars.find(List.of(id)).get(id), StoredCalendar::version);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private APIGatewayProxyResponseEvent considered(
      CalendarId id, @Nullable StoredCalendar stored, NamedCalendar wanted, String caller) {
    return answer(stored == null ? 201 : 200, next(id, stored, wanted, caller));
  }

  private Attempt<APIGatewayProxyResponseEvent> stored(
      CalendarId id, @Nullable StoredCalendar stored, NamedCalendar wanted, String caller) {
    StoredCalendar next = next(id, stored, wanted, caller);
    return next.equals(stored)
        ? Attempt.done(answer(200, next))
        : Attempt.of(calendars.save(stored, next), answer(stored == null ? 201 : 200, next));
  }

  /**
   * Returns the stored calendar if it has the wanted document, otherwise a new calendar with this
   * document.
   */
  private StoredCalendar next(
      CalendarId id, @Nullable StoredCalendar stored, NamedCalendar wanted, String caller) {
    if (stored == null) {
      return StoredCalendar.created(id, wanted, now(), caller);
    }
    return stored.current().document().equals(wanted.document())
        ? stored
        : stored.changed(wanted, now(), caller);
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
          NamedItem<StoredCalendar> found = found(id);
          StoredCalendar stored =
              found.isUnreadable() ? placeholder(id, call) : required(found.item(), id);
          conditions.check("calendar", found.etag());
          refuseWhileUsed(id);
          return (!found.isUnreadable() || calendars.overwrite(stored)) && calendars.delete(stored);
        });
    return Answer.empty(204);
  }

  /** A stand-in for an unreadable calendar, because only a known version can be deleted. */
  private StoredCalendar placeholder(CalendarId id, Call call) {
    return StoredCalendar.created(id, reader.read(Json.object()), now(), call.caller());
  }

  private void refuseWhileUsed(CalendarId id) {
    Set<ScheduleId> users = schedules.withEventKey(id.namespace(), Trigger.calendarKey(id.name()));
    if (!users.isEmpty()) {
      throw Problem.conflict(
          "the calendar %s is still in use; remove it from \"exclude\" in the triggers of: %s"
              .formatted(id.name(), Listing.firstNames(users)));
    }
  }

  APIGatewayProxyResponseEvent list(Call call) {
    return Listing.ofNamespace(call, "calendars", calendars::list, CalendarRoutes::view);
  }

  private static StoredCalendar required(@Nullable StoredCalendar found, CalendarId id) {
    if (found == null) {
      throw Problem.notFound(
          "there is no calendar " + id + "; list the calendars of the namespace");
    }
    return found;
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
