package dev.carillon.checker;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import java.util.List;
import java.util.Objects;

/** Stores due fires that merge into the waiting job of their schedule, or are skipped behind it. */
final class JoiningFires {

  private final CheckServices services;
  private final CheckSnapshot snapshot;
  private final Decisions decisions;
  private final StoredJobs storedJobs;

  JoiningFires(
      CheckServices services, CheckSnapshot snapshot, Decisions decisions, StoredJobs storedJobs) {
    this.services = services;
    this.snapshot = snapshot;
    this.decisions = decisions;
    this.storedJobs = storedJobs;
  }

  /**
   * Stores the due fires of a schedule. They are checked later if the waiting job or the collecting
   * job cannot be read. So are those whose own jobs cannot be read; the others are stored.
   */
  void store(ScheduleId schedule, List<JobId> due) {
    Head head = Objects.requireNonNull(snapshot.heads().get(schedule));
    Compiled known = Objects.requireNonNull(snapshot.compiled().get(schedule));
    try {
      decisions.addPresent(services.collector().mergeOrSkip(known, head, due));
    } catch (UnreadableItems collectingJob) {
      due.forEach(storedJobs::postpone);
    } catch (UnreadableJobs damaged) {
      List<JobId> rest = due.stream().filter(fire -> !damaged.ids().contains(fire)).toList();
      boolean isOfFires = rest.size() < due.size();
      due.stream()
          .filter(fire -> !isOfFires || damaged.ids().contains(fire))
          .forEach(storedJobs::postpone);
      if (isOfFires && !rest.isEmpty()) {
        store(schedule, rest);
      }
    }
  }
}
