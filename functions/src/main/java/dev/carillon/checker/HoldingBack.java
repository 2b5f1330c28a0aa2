package dev.carillon.checker;

import dev.carillon.checker.Launcher.Tools;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Held;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.Requests;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The jobs that a look holds back because their schedule is suspended. Each is remembered before it
 * is stored as held back, and the head is read once more after: so whoever ends the suspension
 * finds the job, or the look finds that it has ended.
 */
final class HoldingBack {

  private final Tools tools;
  private final Reading reading;
  private final Instant now;
  private final List<Held> fresh = new ArrayList<>();
  private final List<Held> remembered = new ArrayList<>();

  HoldingBack(Tools tools, Reading reading, Instant now) {
    this.tools = tools;
    this.reading = reading;
    this.now = now;
  }

  /** The job as it is stored when {@link #remember} has been called. */
  Job held(Job job) {
    Head head = Objects.requireNonNull(reading.heads().get(job.id().schedule()));
    Suspension suspension = Objects.requireNonNull(head.suspension());
    fresh.add(new Held(job.id(), head.activation()));
    return Requests.resolved(reading.compiledOf(job), job)
        .suspended(now, Reason.of(ReasonCode.HELD_BY_SUSPENSION, suspension.told()));
  }

  /** Has those found that are let go when a suspension ends. */
  void remember() {
    if (!fresh.isEmpty()) {
      tools.jobs().holdBack(List.copyOf(fresh));
      remembered.addAll(fresh);
      fresh.clear();
    }
  }

  /**
   * As {@link #remember} of a look at a gate, whose message does not find them again: so they are
   * looked at once more, whatever becomes of this launcher.
   */
  void rememberAtGate() {
    List<JobId> jobs = fresh.stream().map(Held::job).toList();
    remember();
    tools.sending().promiseLooks(jobs);
  }

  /**
   * Those whose suspension was changed or ended meanwhile: whoever did so may not have seen that
   * they are held back.
   */
  List<JobId> letGoMeanwhile() {
    if (remembered.isEmpty()) {
      return List.of();
    }
    Set<ScheduleId> schedules =
        remembered.stream().map(one -> one.job().schedule()).collect(Collectors.toSet());
    Map<ScheduleId, Head> after = Reading.asOf(now, tools.schedules().heads(schedules));
    return remembered.stream()
        .filter(
            one -> {
              Head head = after.get(one.job().schedule());
              return head == null || head.activation() != one.activation();
            })
        .map(Held::job)
        .toList();
  }
}
