package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Changes.Present;
import dev.carillon.id.ScheduleId;
import dev.carillon.launch.TargetQueues;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.SuspendMode;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What has to change for a schedule to be as a document wants it, or gone. */
final class Wishes {

  private final Lookup lookup;
  private final Documents documents;
  private final TargetQueues targets;

  Wishes(Lookup lookup, Documents documents, TargetQueues targets) {
    this.lookup = lookup;
    this.documents = documents;
    this.targets = targets;
  }

  /**
   * The schedule that a document describes.
   *
   * @throws Problem with every fault of the document
   */
  Schedule read(ScheduleId id, JsonNode document, Present present, Instant now) {
    return documents.read(id, document, compiled(present.schedule()), now);
  }

  /** Whether a document is right, but of a schedule that was deleted after its last fire. */
  boolean isOver(ScheduleId id, JsonNode document, Instant now) {
    return documents.isOver(id, document, now);
  }

  /** Makes its target queue, where the deployment makes them itself. */
  void prepare(Schedule wanted) {
    targets.prepare(documents.targetArn(wanted));
  }

  /** Creates, replaces or labels; empty if it is as wanted. */
  Optional<Change> change(Schedule wanted, Present present, Instant now, String by) {
    StoredSchedule stored = present.schedule();
    Schedule old = compiled(stored);
    if (stored == null || old == null) {
      return Optional.of(Lifecycle.create(present.head(), wanted, now, by));
    }
    if (wanted.isSameGenerationAs(old)) {
      return sameGeneration(stored, old, wanted, now, by);
    }
    return Optional.of(Lifecycle.replace(stored, old.trigger().indexKeys(), wanted, now, by));
  }

  /** Description, tags and state may differ. */
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

  Change deletion(StoredSchedule stored, Instant now) {
    Schedule old = lookup.compiled(stored.definition()).schedule();
    return Lifecycle.delete(stored, old.trigger().indexKeys(), now);
  }

  private @Nullable Schedule compiled(@Nullable StoredSchedule stored) {
    return stored == null ? null : lookup.compiled(stored.definition()).schedule();
  }
}
