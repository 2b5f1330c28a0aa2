package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Changes.Outcome;
import dev.carillon.api.Changes.Present;
import dev.carillon.schedule.Bounds;
import dev.carillon.schedule.Faults;
import dev.carillon.schedule.Fields;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleId;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.TextForm;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One schedule: create, replace, read, delete, suspend, resume. */
final class ScheduleRoutes {

  private static final TextForm REASON = TextForm.line(256);
  private static final List<String> LATER_MODES = List.of("drain", "backlog", "hold");

  private final Lookup lookup;
  private final Changes changes;
  private final Wishes wishes;
  private final InstantSource clock;

  ScheduleRoutes(Lookup lookup, Changes changes, Wishes wishes, InstantSource clock) {
    this.lookup = lookup;
    this.changes = changes;
    this.wishes = wishes;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent get(Call call) {
    return answer(200, lookup.required(call.scheduleId()));
  }

  APIGatewayProxyResponseEvent put(Call call) {
    ScheduleId id = call.scheduleId();
    JsonNode document = call.body(Bounds.MOST_BYTES);
    Outcome outcome =
        changes.apply(
            id,
            Conditions.of(call),
            present -> {
              Instant now = now();
              Schedule wanted = wishes.read(id, document, present, now);
              wishes.prepare(wanted);
              return wishes.change(wanted, present, now, call.caller());
            });
    return answer(outcome.created() ? 201 : 200, outcome.after());
  }

  APIGatewayProxyResponseEvent delete(Call call) {
    ScheduleId id = call.scheduleId();
    changes.apply(
        id, Conditions.of(call), present -> Optional.of(wishes.deletion(existing(id, present))));
    return Answer.empty(204);
  }

  APIGatewayProxyResponseEvent suspend(Call call) {
    ScheduleId id = call.scheduleId();
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("mode", "reason", "until"));
    String mode = body.choice("mode", List.of("discard"), LATER_MODES, "discard");
    String reason = body.optionalText("reason", REASON);
    body.later("until", false);
    Problem.refuse(faults);
    Outcome outcome =
        changes.apply(
            id,
            Conditions.of(call),
            present -> {
              StoredSchedule stored = unfinished(id, present, "suspended");
              Suspension suspension = new Suspension(mode, reason, call.caller(), now());
              return suspended(stored, suspension);
            });
    return answer(200, outcome.after());
  }

  private static Optional<Change> suspended(StoredSchedule stored, Suspension suspension) {
    if (stored.head().state() != ScheduleState.SUSPENDED) {
      return Optional.of(Lifecycle.suspend(stored, suspension));
    }
    Suspension old = stored.head().suspension();
    String reason = suspension.reason();
    return reason == null || (old != null && reason.equals(old.reason()))
        ? Optional.empty()
        : Optional.of(Lifecycle.suspendAgain(stored, suspension));
  }

  APIGatewayProxyResponseEvent resume(Call call) {
    ScheduleId id = call.scheduleId();
    Faults faults = new Faults();
    call.fields(faults, List.of());
    Problem.refuse(faults);
    Outcome outcome =
        changes.apply(
            id,
            Conditions.of(call),
            present -> {
              StoredSchedule stored = unfinished(id, present, "resumed");
              Schedule schedule = lookup.compiled(stored.definition()).schedule();
              return stored.head().state() == ScheduleState.ACTIVE
                  ? Optional.empty()
                  : Optional.of(Lifecycle.resume(stored, schedule, now()));
            });
    return answer(200, outcome.after());
  }

  private static StoredSchedule unfinished(ScheduleId id, Present present, String what) {
    StoredSchedule stored = existing(id, present);
    if (stored.head().state() == ScheduleState.COMPLETED) {
      throw Problem.conflict(
          id + " is COMPLETED, it fires no more and cannot be " + what + "; give it new times");
    }
    return stored;
  }

  private static StoredSchedule existing(ScheduleId id, Present present) {
    if (present.schedule() == null) {
      throw Lookup.missing(id);
    }
    return present.schedule();
  }

  private APIGatewayProxyResponseEvent answer(int status, StoredSchedule stored) {
    return Answer.of(
        status,
        ScheduleView.of(stored, lookup.nextFire(stored, now())),
        Map.of("ETag", Conditions.etag(stored.head())));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
