package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Held;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The jobs that a pass holds back because their schedule is suspended. Each is recorded before it
 * is stored as suspended, and its head is read once more afterwards: either the function that ends
 * the suspension finds the record, or the pass finds that the suspension has ended.
 */
final class SuspendedJobs {

  private final Shared shared;
  private final CheckSnapshot snapshot;
  private final Instant now;
  private final List<Held> fresh = new ArrayList<>();
  private final List<Held> recorded = new ArrayList<>();

  SuspendedJobs(Shared shared, CheckSnapshot snapshot, Instant now) {
    this.shared = shared;
    this.snapshot = snapshot;
    this.now = now;
  }

  void add(Job job) {
    Head head = Objects.requireNonNull(snapshot.heads().get(job.id().schedule()));
    fresh.add(new Held(job.id(), head.activation()));
  }

  /**
   * Records the jobs that were added; the end of their suspension finds them.
   *
   * @return these jobs
   */
  List<JobId> record() {
    List<JobId> jobs = fresh.stream().map(Held::job).toList();
    if (!fresh.isEmpty()) {
      shared.jobs().holdBack(List.copyOf(fresh));
      recorded.addAll(fresh);
      fresh.clear();
    }
    return jobs;
  }

  /**
   * The recorded jobs whose suspension was changed or ended meanwhile: the function that did so may
   * not have found their record.
   */
  List<JobId> releasedMeanwhile() {
    if (recorded.isEmpty()) {
      return List.of();
    }
    Set<ScheduleId> schedules =
        recorded.stream().map(one -> one.job().schedule()).collect(Collectors.toSet());
    Map<ScheduleId, Head> after = CheckSnapshot.asOf(now, shared.schedules().heads(schedules));
    return recorded.stream()
        .filter(
            one -> {
              Head head = after.get(one.job().schedule());
              return head == null || head.activation() != one.activation();
            })
        .map(Held::job)
        .toList();
  }
}
