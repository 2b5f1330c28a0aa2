package dev.carillon.api;

import dev.carillon.api.Changes.Outcome;
import dev.carillon.api.Changes.Present;
import dev.carillon.app.App;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.TextForm;
import dev.carillon.id.AppId;
import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.UnreadableSchedules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The schedules of an app: lists them, determines what a deployment changes, and changes them. */
final class Members {

  /**
   * The time in which a request can begin changes. API Gateway allows 29 s, of which a cold start
   * takes a part, and a change can wait 5 s for an index.
   */
  static final Duration TIME_FOR_CHANGES = Duration.ofSeconds(18);

  private static final Conditions ANY = new Conditions(null, null);

  private final Schedules schedules;
  private final Changes changes;
  private final DesiredState desired;
  private final InstantSource clock;
  private final Fanout fanout;
  private final UnreadableMembers unreadable;

  Members(
      Schedules schedules,
      Changes changes,
      DesiredState desired,
      InstantSource clock,
      Fanout fanout) {
    this.schedules = schedules;
    this.changes = changes;
    this.desired = desired;
    this.clock = clock;
    this.fanout = fanout;
    this.unreadable = new UnreadableMembers(schedules, desired, clock);
  }

  /** What a deployment does to a schedule. Deletions come after the changes that can be refused. */
  enum Effect {
    CREATED,
    REPLACED,
    UNCHANGED,
    /** The schedule was deployed before, and deleted itself after its last fire. */
    SELF_DELETED,
    DELETED,
    /** The app has no schedule of this name, and the request wants none. */
    NONE
  }

  /**
   * The effect that a deployment would have on one schedule.
   *
   * @param refusal why the schedule cannot be changed, with pointers into the request; null if it
   *     can
   */
  record Finding(String name, Effect effect, @Nullable Problem refusal) {}

  /** The effect that a deployment had on a schedule, and the jobs that it cancelled. */
  record Applied(Effect effect, Cancelled cancelled) {}

  /** The names of the schedules that belong to the app. The read is strongly consistent. */
  SortedSet<String> names(AppId app) {
    return schedules.ofApp(app).stream()
        .map(ScheduleId::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Determines the effect on every schedule, and parses every document.
   *
   * @param stored the app that was deployed before; null if there is none that can be read
   */
  List<Finding> examine(
      DeploymentRequest request, Collection<String> names, @Nullable App stored, String by) {
    return fanout.map(List.copyOf(names), name -> examine(request, name, stored, by));
  }

  private Finding examine(DeploymentRequest request, String name, @Nullable App stored, String by) {
    ScheduleId id = id(request.app(), name);
    Present present;
    try {
      present = TextForm.NAME.fits(name) ? changes.present(id) : new Present(null, null);
    } catch (UnreadableSchedules damaged) {
      return unreadable.examine(request, id);
    }
    try {
      Optional<ParsedChange> change = change(request, id, present, by, wanted -> {});
      return new Finding(name, effect(request.app(), present, change), null);
    } catch (Problem refusal) {
      SubmittedDocument document = request.documents().get(name);
      boolean wasDeleted = stored != null && hasLost(stored, name, present);
      if (wasDeleted
          && document != null
          && desired.describesSelfDeleted(document, clock.instant())) {
        return new Finding(name, Effect.SELF_DELETED, null);
      }
      return new Finding(name, Effect.NONE, refusal.within(Faults.member("/schedules", name)));
    }
  }

  /**
   * Whether the app had a schedule that is absent now. A deployment that crashed may have named a
   * schedule without storing it. So only the tombstone of such a schedule proves that it existed.
   */
  private static boolean hasLost(App app, String name, Present present) {
    Head tombstone = present.head();
    return present.schedule() == null
        && app.schedules().contains(name)
        && (!app.claimed().contains(name)
            || (tombstone != null && app.id().name().equals(tombstone.app())));
  }

  /**
   * Changes schedules as the request wants. It decides by their current state, which can differ
   * from the examined state.
   *
   * @param made takes the effects on the schedules that were changed before the deadline, also if
   *     another schedule cannot be changed. Several threads add to it
   * @throws Problem if a schedule cannot be changed, with pointers into the request
   */
  void carryOut(
      DeploymentRequest request,
      Collection<String> names,
      String by,
      Deadline deadline,
      ConcurrentMap<String, Applied> made) {
    fanout.forEach(
        List.copyOf(names),
        name -> {
          if (!deadline.hasPassed()) {
            made.put(name, carryOut(request, name, by));
          }
        });
  }

  private Applied carryOut(DeploymentRequest request, String name, String by) {
    try {
      return changed(request, name, by);
    } catch (Problem refusal) {
      throw refusal.within(Faults.member("/schedules", name));
    }
  }

  private Applied changed(DeploymentRequest request, String name, String by) {
    ScheduleId id = id(request.app(), name);
    Function<Present, Optional<ParsedChange>> decide =
        present -> change(request, id, present, by, desired::prepare);
    try {
      return applied(request, changes.apply(id, ANY, decide));
    } catch (UnreadableSchedules damaged) {
      Effect effect = unreadable.effect(request, id);
      return effect == Effect.REPLACED || effect == Effect.DELETED
          ? new Applied(
              effect,
              changes
                  .replace(id, ANY, decide, old -> unreadable.change(request, effect, old, by))
                  .cancelled())
          : new Applied(effect, Cancelled.NONE);
    }
  }

  private static Applied applied(DeploymentRequest request, Outcome outcome) {
    return new Applied(
        effect(request.app(), outcome.before(), Optional.ofNullable(outcome.change())),
        outcome.cancelled());
  }

  /**
   * @param prepare runs before a schedule is stored
   */
  private Optional<ParsedChange> change(
      DeploymentRequest request,
      ScheduleId id,
      Present present,
      String by,
      Consumer<Schedule> prepare) {
    ParsedSchedule stored = present.schedule();
    SubmittedDocument document = request.documents().get(id.name());
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Schedule wanted = document == null ? null : desired.read(document, stored, now);
    if (wanted != null && request.updates()) {
      if (stored != null && !isOf(request.app(), stored)) {
        throw foreign(request.app(), stored);
      }
      prepare.accept(wanted);
      return DesiredState.change(stored == null ? wanted : wanted.withoutState(), present, now, by);
    }
    return stored != null && isOf(request.app(), stored) && !isKept(request, stored)
        ? Optional.of(DesiredState.deletion(stored, now))
        : Optional.empty();
  }

  private static boolean isOf(AppId app, ParsedSchedule stored) {
    return app.name().equals(stored.head().app());
  }

  private static boolean isKept(DeploymentRequest request, ParsedSchedule stored) {
    return !request.updates() && request.programs().contains(stored.head().program());
  }

  private static Problem foreign(AppId app, ParsedSchedule stored) {
    String other = stored.head().app();
    String detail =
        "the schedule %s exists and belongs to %s; delete it, or store it with \"app\": %s"
            .formatted(
                stored.head().id(),
                other == null ? "no app" : "the app " + Faults.quoted(other),
                Faults.quoted(app.name()));
    return Problem.conflict(List.of(new Fault("", detail)));
  }

  private static Effect effect(AppId app, Present before, Optional<ParsedChange> change) {
    ParsedSchedule stored = before.schedule();
    if (change.isEmpty()) {
      return stored != null && isOf(app, stored) ? Effect.UNCHANGED : Effect.NONE;
    }
    if (change.get().change().definition() == null) {
      return Effect.DELETED;
    }
    return stored == null ? Effect.CREATED : Effect.REPLACED;
  }

  private static ScheduleId id(AppId app, String name) {
    return new ScheduleId(app.namespace(), name);
  }
}
