package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Changes.Present;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.TextForm;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.pool.Pools;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads submitted documents, refuses what this deployment does not allow, and decides which change
 * brings a schedule to its desired state.
 */
final class DesiredState {

  /** The members of a document that name a queue to which Carillon sends messages. */
  private static final List<String> TARGETS = List.of("target", "onEnd");

  private final ScheduleParser parser;
  private final ExcludedCalendars calendars;
  private final AllowedQueues queues;
  private final Pools pools;

  DesiredState(
      ScheduleParser parser, ExcludedCalendars calendars, AllowedQueues queues, Pools pools) {
    this.parser = parser;
    this.calendars = calendars;
    this.queues = queues;
    this.pools = pools;
  }

  /**
   * The schedule that a document describes.
   *
   * @param stored the schedule that it would replace, or null. If the document leaves the trigger
   *     unchanged, the times of the trigger may be past
   * @throws Problem with every fault of the document
   */
  Schedule read(SubmittedDocument wanted, @Nullable ParsedSchedule stored, Instant now) {
    List<Fault> faults = new ArrayList<>();
    Schedule read = null;
    try {
      read = wanted.parsed(parser, now);
    } catch (InvalidDocument invalid) {
      read = stored == null ? null : withUnchangedTimes(wanted, stored.schedule()).orElse(null);
      if (read == null) {
        faults.addAll(invalid.faults());
      }
    }
    ScheduleId id = wanted.id();
    targetFaults(id.namespace(), wanted.document())
        .filter(fault -> faults.stream().noneMatch(it -> it.pointer().equals(fault.pointer())))
        .toList()
        .forEach(faults::add);
    if (read == null || stored == null || !areSameTimes(read, stored.schedule())) {
      faults.addAll(calendars.faults(id, wanted.document(), read, now));
    }
    if (read == null || stored == null || !hasSamePool(read, stored.schedule())) {
      poolFault(id.namespace(), wanted.document().path("pool")).ifPresent(faults::add);
    }
    if (read == null || !faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return read;
  }

  private static boolean hasSamePool(Schedule one, Schedule other) {
    return Objects.equals(one.pool(), other.pool());
  }

  /** Refuses a pool that does not exist. A pool that cannot be read counts as existing. */
  private Optional<Fault> poolFault(String namespace, JsonNode pool) {
    String name = pool.asText();
    boolean isNamed = pool.isTextual() && TextForm.NAME.fits(name);
    if (!isNamed || name.equals(Schedule.MATCHING_POOL)) {
      return Optional.empty();
    }
    PoolId id = new PoolId(namespace, name);
    Set<PoolId> unreadable = new HashSet<>();
    boolean exists =
        !UnreadableItems.readable(Set.of(id), unreadable, pools::find).isEmpty()
            || !unreadable.isEmpty();
    return exists
        ? Optional.empty()
        : Optional.of(
            new Fault(
                "/pool",
                "there is no pool %s in namespace %s; create it first"
                    .formatted(Faults.quoted(name), Faults.quoted(id.namespace()))));
  }

  private Optional<Schedule> withUnchangedTimes(SubmittedDocument wanted, Schedule stored) {
    try {
      Schedule read = wanted.parsedEvenIfPast(parser);
      return areSameTimes(read, stored) ? Optional.of(read) : Optional.empty();
    } catch (InvalidDocument invalid) {
      return Optional.empty();
    }
  }

  /** Whether a valid document describes a schedule that deleted itself after its last fire. */
  boolean describesSelfDeleted(SubmittedDocument wanted, Instant now) {
    try {
      Schedule read = wanted.parsedEvenIfPast(parser);
      return read.deleteAfterCompletion()
          && read.trigger().isPlainTime()
          && read.trigger().leaves().stream().noneMatch(leaf -> hasFireAfter(read, leaf, now))
          && targetFaults(wanted.id().namespace(), wanted.document()).findAny().isEmpty();
    } catch (InvalidDocument invalid) {
      return false;
    }
  }

  private static boolean hasFireAfter(Schedule schedule, Trigger.Leaf leaf, Instant after) {
    return leaf instanceof TimeLeaf time && schedule.fireTimes(time, after).next(after).isPresent();
  }

  private static boolean areSameTimes(Schedule one, Schedule other) {
    return one.trigger().equals(other.trigger()) && one.zone().equals(other.zone());
  }

  private Stream<Fault> targetFaults(String namespace, JsonNode document) {
    return TARGETS.stream()
        .flatMap(
            target -> {
              JsonNode queue = document.path(target).path("queue");
              return queues.fault(namespace, queue, "/" + target + "/queue").stream();
            });
  }

  /** If the deployment creates queues itself, creates the queues that the schedule names. */
  void prepare(Schedule wanted) {
    Stream.of(wanted.target(), wanted.onEnd())
        .filter(Objects::nonNull)
        .flatMap(target -> Stream.ofNullable(target.queue()))
        .forEach(queues::prepare);
  }

  /** The change to the desired state: create, replace or annotate; empty if nothing differs. */
  static Optional<ParsedChange> change(Schedule wanted, Present present, Instant now, String by) {
    ParsedSchedule stored = present.schedule();
    if (stored == null) {
      Change creation = Lifecycle.create(present.head(), wanted, now, by);
      return Optional.of(new ParsedChange(creation, wanted));
    }
    Schedule old = stored.schedule();
    Optional<Change> change =
        wanted.isSameGenerationAs(old)
            ? sameGeneration(stored.stored(), old, wanted, now, by)
            : Optional.of(Lifecycle.replace(stored.stored(), old.indexKeys(), wanted, now, by));
    return change.map(one -> new ParsedChange(one, wanted));
  }

  /** A change within the generation: description, tags and state can differ. */
  private static Optional<Change> sameGeneration(
      StoredSchedule stored, Schedule old, Schedule wanted, Instant now, String by) {
    Head head = stored.head();
    Change labels = Lifecycle.annotate(stored, wanted, now);
    Definition labelled = labels.definition();
    boolean same = wanted.document().equals(stored.definition().document());
    StoredSchedule next = same || labelled == null ? stored : new StoredSchedule(head, labelled);
    if (wanted.state() == ScheduleState.ACTIVE && head.state() == ScheduleState.SUSPENDED) {
      return Optional.of(Lifecycle.resume(next, wanted, now));
    }
    if (wanted.state() == ScheduleState.SUSPENDED && head.state() == ScheduleState.ACTIVE) {
      String reason = "its document was stored as SUSPENDED";
      Suspension suspension = new Suspension(SuspendMode.DISCARD, reason, by, now);
      return Optional.of(Lifecycle.suspend(next, old, suspension));
    }
    return same ? Optional.empty() : Optional.of(labels);
  }

  static ParsedChange deletion(ParsedSchedule stored, Instant now) {
    Schedule old = stored.schedule();
    return new ParsedChange(Lifecycle.delete(stored.stored(), old.indexKeys(), now), null);
  }
}
