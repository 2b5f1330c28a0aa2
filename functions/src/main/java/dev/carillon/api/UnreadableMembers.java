package dev.carillon.api;

import dev.carillon.api.Members.Effect;
import dev.carillon.api.Members.Finding;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.UnreadableSchedules;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * The unreadable schedules of an app. A deployment replaces or deletes such a schedule without
 * reading it; other schedules are not affected.
 */
final class UnreadableMembers {

  private final Schedules schedules;
  private final DesiredState desired;
  private final InstantSource clock;

  UnreadableMembers(Schedules schedules, DesiredState desired, InstantSource clock) {
    this.schedules = schedules;
    this.desired = desired;
    this.clock = clock;
  }

  /** Determines the effect on an unreadable schedule, and parses its document. */
  Finding examine(DeploymentRequest request, ScheduleId id) {
    try {
      Effect effect = effect(request, id);
      if (effect == Effect.REPLACED) {
        read(request, id);
      }
      return new Finding(id.name(), effect, null);
    } catch (Problem refusal) {
      String pointer = Faults.member("/schedules", id.name());
      return new Finding(id.name(), Effect.NONE, refusal.within(pointer));
    }
  }

  /**
   * What a deployment does to an unreadable schedule. A schedule of the app stays as it is if the
   * request names it without a document.
   *
   * @throws Problem if the request contains a schedule, and it is not known that the schedule
   *     belongs to the app
   */
  Effect effect(DeploymentRequest request, ScheduleId id) {
    Head head =
        UnreadableSchedules.readable(List.of(id), new HashSet<>(), schedules::heads).get(id);
    boolean isMember =
        head == null
            ? schedules.ofApp(request.app()).contains(id)
            : request.app().name().equals(head.app());
    if (request.updates() && request.documents().containsKey(id.name())) {
      if (!isMember) {
        throw foreign(request, id);
      }
      return Effect.REPLACED;
    }
    if (!isMember) {
      return Effect.NONE;
    }
    boolean isKept =
        !request.updates() && (head == null || request.programs().contains(head.program()));
    return isKept ? Effect.UNCHANGED : Effect.DELETED;
  }

  /**
   * The change that replaces or deletes an unreadable schedule.
   *
   * @param old the head, or the stand-in for an unreadable head
   */
  ParsedChange change(DeploymentRequest request, Effect effect, Head old, String by) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    if (effect == Effect.DELETED) {
      return new ParsedChange(Lifecycle.deleteUnreadable(old, now), null);
    }
    Schedule wanted = read(request, old.id());
    desired.prepare(wanted);
    return new ParsedChange(Lifecycle.replaceUnreadable(old, wanted, now, by), wanted);
  }

  private Schedule read(DeploymentRequest request, ScheduleId id) {
    SubmittedDocument document = Objects.requireNonNull(request.documents().get(id.name()));
    return desired.read(document, null, clock.instant().truncatedTo(ChronoUnit.MILLIS));
  }

  private static Problem foreign(DeploymentRequest request, ScheduleId id) {
    String detail =
        "the schedule %s cannot be read, and is not known to belong to the app %s; delete it, or store it with \"app\": %s"
            .formatted(id, request.app().name(), Faults.quoted(request.app().name()));
    return Problem.conflict(List.of(new Fault("", detail)));
  }
}
