package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Changes.Outcome;
import dev.carillon.api.Changes.Present;
import dev.carillon.document.Bounds;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Activation;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates, replaces, reads, deletes, suspends and resumes one schedule. */
final class ScheduleRoutes {

  private static final TextForm REASON = TextForm.line(256);

  private final Lookup lookup;
  private final Changes changes;
  private final DesiredState desired;
  private final GateRepairs gates;
  private final Timers timers;
  private final InstantSource clock;

  ScheduleRoutes(
      Lookup lookup,
      Changes changes,
      DesiredState desired,
      GateRepairs gates,
      Timers timers,
      InstantSource clock) {
    this.lookup = lookup;
    this.changes = changes;
    this.desired = desired;
    this.gates = gates;
    this.timers = timers;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent get(Call call) {
    return answer(200, lookup.parsing(lookup.required(call.scheduleId())));
  }

  APIGatewayProxyResponseEvent put(Call call) {
    ScheduleId id = call.scheduleId();
    boolean dryRun = call.isDryRun();
    SubmittedDocument document = new SubmittedDocument(id, call.body(Bounds.MOST_BYTES));
    return dryRun ? considered(call, document) : stored(call, document);
  }

  /** The answer that the request would get, without its effects. */
  private APIGatewayProxyResponseEvent considered(Call call, SubmittedDocument document) {
    Outcome outcome =
        changes.consider(
            document.id(),
            Conditions.of(call),
            present -> {
              Schedule wanted = desired.read(document, present.schedule(), now());
              return DesiredState.change(wanted, present, now(), call.caller());
            });
    return answer(outcome.created() ? 201 : 200, outcome.after());
  }

  private APIGatewayProxyResponseEvent stored(Call call, SubmittedDocument document) {
    ScheduleId id = document.id();
    Outcome outcome =
        changes.replace(
            id,
            Conditions.of(call),
            present -> {
              Instant now = now();
              Schedule wanted = desired.read(document, present.schedule(), now);
              prepare(wanted);
              return DesiredState.change(wanted, present, now, call.caller());
            },
            old -> {
              Schedule wanted = desired.read(document, null, now());
              prepare(wanted);
              return new ParsedChange(
                  Lifecycle.replaceUnreadable(old, wanted, now(), call.caller()), wanted);
            });
    if (outcome.change() == null) {
      restoreTimers(outcome.after());
    }
    return changed(outcome.created() ? 201 : 200, outcome);
  }

  /**
   * Stores the timers of a schedule again if a timer is missing, for example because it was
   * damaged. A fire that was handed over before does not become a second job.
   */
  private void restoreTimers(ParsedSchedule same) {
    Head head = same.head();
    if (head.state() != ScheduleState.ACTIVE) {
      return;
    }
    Instant since = same.stored().definition().generationSince();
    Instant now = now();
    Instant horizon = LookAhead.horizon(head.id(), now);
    if (!timers.missing(Activation.timersAfter(horizon, head, same.schedule(), since)).isEmpty()) {
      timers.put(Activation.timersAfter(now, head, same.schedule(), since));
    }
  }

  private void prepare(Schedule wanted) {
    desired.prepare(wanted);
    gates.repair(wanted);
  }

  APIGatewayProxyResponseEvent delete(Call call) {
    ScheduleId id = call.scheduleId();
    Outcome outcome =
        changes.replace(
            id,
            Conditions.of(call),
            present -> Optional.of(DesiredState.deletion(existing(id, present), now())),
            old -> new ParsedChange(Lifecycle.deleteUnreadable(old, now()), null));
    return Answer.empty(204, outcome.cancelled().header());
  }

  APIGatewayProxyResponseEvent suspend(Call call) {
    ScheduleId id = call.scheduleId();
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("mode", "reason", "until"));
    Instant until = body.optionalInstant("until");
    if (until != null && faults.none() && !until.isAfter(now())) {
      body.refuse("until", "the instant has passed; give a later one, or leave it out");
    }
    Optional<SuspendMode> mode =
        body.has("mode")
            ? body.choice("mode", SuspendMode.TEXTS).map(SuspendMode::of)
            : Optional.empty();
    String reason = body.optionalText("reason", REASON);
    Problem.refuse(faults);
    Outcome outcome =
        changes.apply(
            id,
            Conditions.of(call),
            present -> {
              ParsedSchedule stored = unfinished(id, present, "suspended");
              return suspended(stored, mode, reason, until, call.caller());
            });
    return changed(200, outcome);
  }

  /**
   * Suspends a schedule. Suspending a suspended schedule again replaces {@code until}; it keeps the
   * mode and the reason if the request has none.
   */
  private Optional<ParsedChange> suspended(
      ParsedSchedule stored,
      Optional<SuspendMode> mode,
      @Nullable String reason,
      @Nullable Instant until,
      String by) {
    Suspension old = stored.head().suspension();
    Suspension next =
        new Suspension(
            mode.orElse(old == null ? SuspendMode.DISCARD : old.mode()),
            reason == null && old != null ? old.reason() : reason,
            until,
            by,
            now());
    Schedule schedule = stored.schedule();
    if (old == null || old.mode() != next.mode()) {
      Change suspension = Lifecycle.suspend(stored.stored(), schedule, next);
      return Optional.of(new ParsedChange(suspension, schedule));
    }
    boolean isSame =
        Objects.equals(old.reason(), next.reason()) && Objects.equals(old.until(), next.until());
    return isSame
        ? Optional.empty()
        : Optional.of(
            new ParsedChange(Lifecycle.suspendAgain(stored.stored(), schedule, next), schedule));
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
              ParsedSchedule stored = unfinished(id, present, "resumed");
              return stored.head().state() == ScheduleState.ACTIVE
                  ? Optional.empty()
                  : Optional.of(
                      new ParsedChange(
                          Lifecycle.resume(stored.stored(), stored.schedule(), now()),
                          stored.schedule()));
            });
    return answer(200, outcome.after());
  }

  private static ParsedSchedule unfinished(ScheduleId id, Present present, String what) {
    ParsedSchedule stored = existing(id, present);
    if (stored.head().state() == ScheduleState.COMPLETED) {
      throw Problem.conflict(
          id + " is COMPLETED and cannot be " + what + "; store it with new times");
    }
    return stored;
  }

  private static ParsedSchedule existing(ScheduleId id, Present present) {
    if (present.schedule() == null) {
      throw Lookup.missing(id);
    }
    return present.schedule();
  }

  private APIGatewayProxyResponseEvent answer(int status, ParsedSchedule stored) {
    return answer(status, stored, view(stored));
  }

  /** The answer after a change that can cancel jobs. */
  private APIGatewayProxyResponseEvent changed(int status, Outcome outcome) {
    ParsedSchedule stored = outcome.after();
    return answer(status, stored, view(stored).set("cancelled", outcome.cancelled().view()));
  }

  private static APIGatewayProxyResponseEvent answer(
      int status, ParsedSchedule stored, ObjectNode view) {
    return Answer.of(status, view, Map.of("ETag", Conditions.etag(stored.head())));
  }

  private ObjectNode view(ParsedSchedule stored) {
    return ScheduleView.of(stored.stored(), lookup.nextFire(stored, now()));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
