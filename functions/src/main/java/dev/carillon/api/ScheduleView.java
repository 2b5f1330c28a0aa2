package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The JSON form of a schedule. */
final class ScheduleView {

  private ScheduleView() {}

  static ObjectNode of(StoredSchedule stored, @Nullable Instant nextFire) {
    Head head = stored.head();
    Definition definition = stored.definition();
    ObjectNode view =
        Json.object()
            .put("namespace", head.id().namespace())
            .put("name", head.id().name())
            .put("generation", head.generation())
            .put("etag", Conditions.etag(head))
            .put("state", head.state().name())
            .put("nextFire", text(nextFire))
            .put("createdAt", text(definition.createdAt()))
            .put("createdBy", definition.createdBy())
            .put("updatedAt", text(definition.updatedAt()))
            .put("generationSince", text(definition.generationSince()))
            .put("activeSince", text(head.activeSince()));
    view.set("suspended", suspended(head.suspension()));
    return view.set("schedule", definition.document());
  }

  /** The suspension; null if the schedule is not suspended. */
  static @Nullable ObjectNode suspended(@Nullable Suspension suspension) {
    return suspension == null
        ? null
        : Json.object()
            .put("mode", suspension.mode().text())
            .put("reason", suspension.reason())
            .put("until", text(suspension.until()))
            .put("by", suspension.by())
            .put("at", text(suspension.at()));
  }

  static @Nullable String text(@Nullable Instant instant) {
    return Timestamps.textOrNull(instant);
  }
}
