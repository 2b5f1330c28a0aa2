package dev.carillon.api;

import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.ContentionException;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.TooManyDemandsException;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes stored schedules as optimistic updates. Runs the effects of a change before the caller
 * gets an answer.
 */
final class Changes {

  private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

  private final Schedules schedules;
  private final Lookup lookup;
  private final ChangeEffects effects;
  private final IndexWait index;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  Changes(
      Schedules schedules,
      Lookup lookup,
      ChangeEffects effects,
      IndexWait index,
      OptimisticUpdate updates,
      InstantSource clock) {
    this.schedules = schedules;
    this.lookup = lookup;
    this.effects = effects;
    this.index = index;
    this.updates = updates;
    this.clock = clock;
  }

  /**
   * The state stored under a name.
   *
   * @param head of the schedule or its tombstone; null if the name was never used
   * @param schedule null if there is none
   */
  record Present(@Nullable Head head, @Nullable ParsedSchedule schedule) {}

  /**
   * The result of a change.
   *
   * @param change null if nothing had to change
   */
  record Outcome(Present before, @Nullable ParsedChange change, Cancelled cancelled) {

    boolean created() {
      return change != null && before.schedule() == null;
    }

    /** The schedule after the change. Must not be called for a deletion. */
    ParsedSchedule after() {
      ParsedSchedule after = change == null ? before.schedule() : change.after();
      if (after == null) {
        throw new IllegalStateException("the schedule was deleted");
      }
      return after;
    }
  }

  /**
   * Decides on the stored state, and stores the decision.
   *
   * @param decide makes the change from the stored state; returns empty if nothing has to change,
   *     and throws {@link Problem} to refuse the change
   * @throws ContentionException if concurrent changes win every attempt
   */
  Outcome apply(
      ScheduleId id, Conditions conditions, Function<Present, Optional<ParsedChange>> decide) {
    return updates.run(id, () -> attempt(current(id), conditions, decide));
  }

  /**
   * Like {@link #apply}, for a change that does not depend on the stored schedule. It also replaces
   * a schedule that cannot be read.
   *
   * @param replacement makes the change that replaces an unreadable schedule; it takes the head of
   *     the schedule, or a stand-in if the head cannot be read
   */
  Outcome replace(
      ScheduleId id,
      Conditions conditions,
      Function<Present, Optional<ParsedChange>> decide,
      Function<Head, ParsedChange> replacement) {
    try {
      return apply(id, conditions, decide);
    } catch (UnreadableSchedules damaged) {
      if (!damaged.ids().contains(id)) {
        throw damaged;
      }
      LOG.warn("{} cannot be read; it is replaced unless it can be read again", id, damaged);
      return updates.run(id, () -> attemptOrOverwrite(id, conditions, decide, replacement));
    }
  }

  /**
   * Decides on the stored state without storing the decision. A schedule that cannot be read counts
   * as absent, because a change replaces it.
   *
   * @param decide as for {@link #apply}
   */
  Outcome consider(
      ScheduleId id, Conditions conditions, Function<Present, Optional<ParsedChange>> decide) {
    Present present = readable(id);
    conditions.check(present.schedule() == null ? null : present.schedule().head());
    return new Outcome(present, decide.apply(present).orElse(null), Cancelled.NONE);
  }

  private Present readable(ScheduleId id) {
    try {
      return present(id);
    } catch (UnreadableSchedules damaged) {
      if (!damaged.ids().contains(id)) {
        throw damaged;
      }
      return new Present(null, null);
    }
  }

  /**
   * The head is read first. So if another writer repairs the schedule after the attempt has failed,
   * the overwriting loses the race, and the next attempt finds a readable schedule.
   */
  private Attempt<Outcome> attemptOrOverwrite(
      ScheduleId id,
      Conditions conditions,
      Function<Present, Optional<ParsedChange>> decide,
      Function<Head, ParsedChange> replacement) {
    Set<ScheduleId> unreadable = new HashSet<>();
    Head head = UnreadableSchedules.readable(List.of(id), unreadable, schedules::heads).get(id);
    try {
      return attempt(current(id), conditions, decide);
    } catch (UnreadableSchedules damaged) {
      if (!damaged.ids().contains(id)) {
        throw damaged;
      }
      return overwrite(id, head, unreadable.isEmpty(), conditions, replacement);
    }
  }

  private Attempt<Outcome> overwrite(
      ScheduleId id,
      @Nullable Head head,
      boolean isReadable,
      Conditions conditions,
      Function<Head, ParsedChange> replacement) {
    if (isReadable && (head == null || head.isDeleted())) {
      return Attempt.lostRace();
    }
    conditions.check(
        "schedule", head == null ? Conditions.UNREADABLE : Conditions.etag(head.version()));
    ParsedChange wanted =
        replacement.apply(head == null ? Lifecycle.standIn(id, clock.instant()) : head);
    effects.announceUnreadable(wanted.change());
    if (!(isReadable ? save(wanted.change()) : schedules.overwrite(wanted.change()))) {
      return Attempt.lostRace();
    }
    Outcome outcome = effects.carryOut(new Present(head, null), wanted);
    effects.dropCollected(wanted.change().after());
    if (wanted.after() != null) {
      index.await(wanted.after());
    }
    return Attempt.done(new Outcome(outcome.before(), outcome.change(), new Cancelled(0, 0, true)));
  }

  private Attempt<Outcome> attempt(
      Present present, Conditions conditions, Function<Present, Optional<ParsedChange>> decide) {
    ParsedSchedule before = present.schedule();
    conditions.check(before == null ? null : before.head());
    ParsedChange wanted = decide.apply(present).orElse(null);
    if (wanted == null) {
      if (before != null) {
        index.await(before);
      }
      return Attempt.done(new Outcome(present, null, Cancelled.NONE));
    }
    effects.announce(before, wanted);
    if (!save(wanted.change())) {
      return Attempt.lostRace();
    }
    Outcome outcome = effects.carryOut(present, wanted);
    if (wanted.after() != null && isNewActivation(present, wanted.change())) {
      index.await(wanted.after());
    }
    return Attempt.done(outcome);
  }

  /** Only a new activation writes new index entries. */
  private static boolean isNewActivation(Present before, Change change) {
    Head old = before.head();
    return old == null || old.activation() != change.after().activation();
  }

  /** The stored state. If a resumption is due, stores it first. */
  private Present current(ScheduleId id) {
    return updates.run(
        id,
        () -> {
          Present present = present(id);
          ParsedChange resumption = resumption(present.schedule());
          if (resumption == null) {
            return Attempt.done(present);
          }
          if (!schedules.save(resumption.change())) {
            return Attempt.lostRace();
          }
          effects.carryOut(present, resumption);
          return Attempt.done(current(id));
        });
  }

  /** The resumption that is due but not yet stored; null if there is none. */
  private @Nullable ParsedChange resumption(@Nullable ParsedSchedule stored) {
    if (stored == null || !stored.head().life().isResumptionDue(clock.instant())) {
      return null;
    }
    Instant until = Objects.requireNonNull(stored.head().life().until());
    return new ParsedChange(
        Lifecycle.resume(stored.stored(), stored.schedule(), until), stored.schedule());
  }

  private boolean save(Change change) {
    try {
      return schedules.save(change);
    } catch (TooManyDemandsException full) {
      ScheduleId id = change.after().id();
      throw Problem.conflict(
          ("%s cannot be stored: its program, or a group or resource that it names, has too many"
                  + " different concurrency, rate, sinceLastRun and resource constraints, or the"
                  + " document has too many constraints and event keys together; give schedules the"
                  + " same limits, or remove constraints or event keys")
              .formatted(id));
    }
  }

  /**
   * @throws ContentionException if the schedule changes faster than it can be read
   */
  Present present(ScheduleId id) {
    return updates.run(
        id,
        () -> {
          StoredSchedule stored = schedules.find(id).orElse(null);
          if (stored != null) {
            return Attempt.done(new Present(stored.head(), lookup.parsing(stored)));
          }
          Head head = lookup.head(id);
          return Attempt.of(head == null || head.isDeleted(), new Present(head, null));
        });
  }
}
