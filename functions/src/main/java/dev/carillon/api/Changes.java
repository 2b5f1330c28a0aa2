package dev.carillon.api;

import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.ContentionException;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.TooManyDemandsException;
import dev.carillon.schedule.StoredSchedule;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes of stored schedules as optimistic updates. What a change still needs before the caller
 * may rely on it follows at once.
 */
final class Changes {

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
   * What is stored under a name.
   *
   * @param head of the schedule or its tombstone; null if there never was one
   * @param schedule null if there is none
   */
  record Present(@Nullable Head head, @Nullable ParsedSchedule schedule) {}

  /**
   * How a change ended.
   *
   * @param change null if there was nothing to change
   */
  record Outcome(Present before, @Nullable ParsedChange change, Cancelled cancelled) {

    boolean created() {
      return change != null && before.schedule() == null;
    }

    /** What is stored now; of a deletion nothing. */
    ParsedSchedule after() {
      ParsedSchedule after = change == null ? before.schedule() : change.after();
      if (after == null) {
        throw new IllegalStateException("there is no schedule any more");
      }
      return after;
    }
  }

  /**
   * Carries out what is decided on the stored state.
   *
   * @param decide empty if there is nothing to change; throws {@link Problem} to refuse
   * @throws ContentionException if others change it all the time
   */
  Outcome apply(
      ScheduleId id, Conditions conditions, Function<Present, Optional<ParsedChange>> decide) {
    return updates.run(id, () -> attempt(current(id), conditions, decide));
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
    effects.announce(before, wanted.change());
    if (!save(wanted.change())) {
      return Attempt.lostRace();
    }
    Outcome outcome = effects.carryOut(present, wanted);
    if (wanted.after() != null && begins(present, wanted.change())) {
      index.await(wanted.after());
    }
    return Attempt.done(outcome);
  }

  /** Only a new activation has entries of its own. */
  private static boolean begins(Present before, Change change) {
    Head old = before.head();
    return old == null || old.activation() != change.after().activation();
  }

  /** What is stored, once a suspension that is over has been ended. */
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

  /** The end of a suspension that is over and still stored; null if there is none. */
  private @Nullable ParsedChange resumption(@Nullable ParsedSchedule stored) {
    Suspension suspension = stored == null ? null : stored.head().suspension();
    if (stored == null || suspension == null || !suspension.isOverdue(clock.instant())) {
      return null;
    }
    Instant until = Objects.requireNonNull(suspension.until());
    return new ParsedChange(
        Lifecycle.resume(stored.stored(), stored.schedule(), until), stored.schedule());
  }

  private boolean save(Change change) {
    try {
      return schedules.save(change);
    } catch (TooManyDemandsException full) {
      ScheduleId id = change.after().id();
      throw Problem.conflict(
          ("%s cannot be stored: there are 400 KB for what the schedules of a namespace ask by"
                  + " concurrency, rate, sinceLastRun and resource, and those of %s have filled them;"
                  + " store it in another namespace, or ask for less")
              .formatted(id, id.namespace()));
    }
  }

  /**
   * @throws ContentionException if it changes faster than it can be read
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
