package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.Judge.Found;
import dev.carillon.campaign.judge.Judge.Schedule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Judges launches by hand, and what has become of the jobs that have a row. */
final class HandJudge {

  /** Milliseconds that what was held back may take when that is over: to be repaired, and queue. */
  private static final long HELD_LATELY = 420_000;

  private final History history;
  private final Schedule schedule;
  private final Found found;

  HandJudge(History history, Schedule schedule, Found found) {
    this.history = history;
    this.schedule = schedule;
    this.found = found;
  }

  void judge() {
    schedule.operations().stream()
        .filter(operation -> operation.kind() == Kind.LAUNCH)
        .forEach(this::judgeLaunch);
    Set<Integer> asked =
        schedule.operations().stream().map(Operation::number).collect(Collectors.toSet());
    for (Launch launch : schedule.launches()) {
      if (launch.isByHand() && !asked.contains(launch.number())) {
        find(Finding.Kind.UNASKED, launch.arrival().jobId(), "a launch that nobody called");
      }
    }
    Set<String> arrived = new TreeSet<>();
    schedule.launches().forEach(launch -> arrived.add(launch.arrival().jobId()));
    for (JobRow row : history.rows()) {
      if (row.schedule().equals(schedule.name())) {
        judgeRow(row, arrived);
      }
    }
  }

  private void judgeLaunch(Operation call) {
    List<Launch> launches =
        schedule.launches().stream().filter(launch -> launch.number() == call.number()).toList();
    Set<String> jobs = new TreeSet<>();
    launches.forEach(launch -> jobs.add(launch.arrival().jobId()));
    if (jobs.size() > 1) {
      find(Finding.Kind.DOUBLED, jobs.toString(), "several jobs for one launch by hand");
    }
    if (!call.done() && !call.isUnknown() && !jobs.isEmpty()) {
      find(Finding.Kind.UNASKED, jobs.toString(), "a launch by hand that was refused");
    }
    if (call.done()) {
      judgeDone(call, launches, jobs);
    }
    for (Launch launch : launches) {
      judgeInFlight(call, launch);
    }
  }

  private void judgeDone(Operation call, List<Launch> launches, Set<String> jobs) {
    long bound =
        schedule.spans().stream()
            .mapToLong(span -> history.bound(call.returned(), span.wish()))
            .max()
            .orElse(history.bound(call.returned()));
    if (!jobs.isEmpty() && !jobs.contains(call.answer())) {
      find(Finding.Kind.UNASKED, jobs.toString(), "the caller was told of " + call.answer());
    }
    boolean mayBeCancelled =
        schedule.deletesItself()
            || schedule.cancelling().stream()
                .anyMatch(o -> o.returned() >= call.called() && o.called() <= bound);
    boolean mayBeHeld = schedule.mayHold(call.called(), bound);
    boolean hasTimedOut =
        history.rows().stream()
            .anyMatch(row -> row.jobId().equals(call.answer()) && row.state().equals("TIMED_OUT"));
    boolean mayBeMissing = hasTimedOut || mayBeCancelled || mayBeHeld;
    if (mayBeMissing || bound > history.end()) {
      return;
    }
    found.required++;
    if (jobs.isEmpty()) {
      find(Finding.Kind.LOST, String.valueOf(call.answer()), "launched by hand, never sent");
    } else if (launches.stream().noneMatch(launch -> launch.arrival().at() <= bound)) {
      find(Finding.Kind.LATE, String.valueOf(call.answer()), "launched by hand, sent late");
    }
  }

  private void judgeInFlight(Operation call, Launch launch) {
    boolean late =
        schedule.cancelling().stream()
            .anyMatch(
                o ->
                    o.called() >= call.returned()
                        && o.returned() != History.NEVER
                        && launch.arrival().at() > o.returned() + Judge.IN_FLIGHT);
    if (late) {
      find(Finding.Kind.AFTER_DELETE, launch.arrival().jobId(), "launched by hand before");
    }
  }

  private void judgeRow(JobRow row, Set<String> arrived) {
    boolean mayBeHeld = schedule.mayHold(history.end() - HELD_LATELY, history.end());
    if (!row.over() && !mayBeHeld && row.changed() < history.end() - History.SETTLING) {
      find(Finding.Kind.STUCK, row.jobId(), "is still " + row.state());
    }
    switch (row.state()) {
      case "SUCCEEDED" -> {
        if (!arrived.contains(row.jobId())) {
          find(Finding.Kind.LOST, row.jobId(), "is said to be sent, but has not arrived");
        }
      }
      case "CANCELLED" -> {
        if (!isCancelled(row)) {
          find(Finding.Kind.LOST, row.jobId(), "was cancelled, but nothing was changed");
        }
      }
      case "FAILED" -> find(Finding.Kind.LOST, row.jobId(), "FAILED without a reason");
      default -> {
        // SKIPPED ones are judged by their fires, TIMED_OUT ones by how long they waited.
      }
    }
  }

  private boolean isCancelled(JobRow row) {
    String backfill = row.backfill();
    long began = backfill.isEmpty() ? row.began() : schedule.askedAt(backfill);
    return schedule.deletesItself()
        || (!backfill.isEmpty() && !schedule.cancellations(backfill).isEmpty())
        || schedule.cancelling().stream()
            .anyMatch(
                o ->
                    o.called() <= row.changed() + Judge.IN_FLIGHT + Judge.SKEW
                        && o.returned() >= began - Judge.IN_FLIGHT - 2 * Judge.SKEW);
  }

  private void find(Finding.Kind kind, String jobId, String what) {
    found.findings.add(new Finding(kind, schedule.name(), jobId, what));
  }
}
