package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.OpenRow;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.Judge.Schedule;
import dev.carillon.campaign.judge.Waits.Pending;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Judges what waited: nothing is given up or launched unsatisfied before its time-out, nor much
 * later; and what was merged or dropped was so once, while another waited.
 */
final class WaitJudge {

  /** For so long after a change may begin what goes by what was before it, and then last. */
  private static final long CHANGE_SETTLES = 45_000;

  private final History history;
  private final Schedule schedule;
  private final StoppedClock clock;
  private final Causes causes;
  private final List<Finding> findings;
  private final Map<String, JobRow> rows = new HashMap<>();

  WaitJudge(History history, Schedule schedule, List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.clock = schedule.clock();
    this.causes = new Causes(history);
    this.findings = findings;
    history.rows().stream()
        .filter(row -> row.schedule().equals(schedule.name()))
        .forEach(row -> rows.put(row.jobId(), row));
  }

  void judge() {
    Map<String, Integer> merged = new HashMap<>();
    for (JobRow row : rows.values()) {
      if (row.state().equals("TIMED_OUT")) {
        judgeTimedOut(row);
      }
      if (row.state().equals("SKIPPED")) {
        judgeSkipped(row);
      }
      if (Causes.pending(row) == Pending.MERGE) {
        merged.merge(row.why().arguments().get(0), 1, Integer::sum);
      }
    }
    schedule.launches().forEach(launch -> judgeLaunch(launch, merged));
    history.open().stream()
        .filter(row -> row.schedule().equals(schedule.name()))
        .forEach(
            row -> {
              judgeOpen(row);
              judgeLeft(row);
            });
  }

  private void judgeTimedOut(JobRow row) {
    List<Wish> wishes = wishes(row, wish -> wish.waits().discards());
    if (wishes.isEmpty()) {
      find(Finding.Kind.LOST, row.jobId(), "timed out, but nobody asked for that");
      return;
    }
    if (wishes.stream().noneMatch(wish -> causes.explain(row, wish))) {
      find(Finding.Kind.LOST, row.jobId(), "timed out, but nothing held it back");
    }
    List<Waits> waits = wishes.stream().map(Wish::waits).toList();
    long shortest = waits.stream().mapToLong(Waits::timeout).min().orElse(0);
    long longest = waits.stream().mapToLong(Waits::timeout).max().orElse(0);
    long earliest = clock.earliest(row.began(), shortest, mayBeByHand(row));
    long latest = clock.latest(row.began(), longest, history::bound);
    if (row.changed() < earliest - Judge.SKEW) {
      find(Finding.Kind.EARLY, row.jobId(), "timed out before its time");
    }
    if (latest != History.NEVER && row.changed() > history.bound(latest) + Judge.SKEW) {
      find(Finding.Kind.LATE, row.jobId(), "timed out long after its time");
    }
    boolean wasSent =
        schedule.launches().stream()
            .map(Launch::arrival)
            .anyMatch(a -> a.jobId().equals(row.jobId()) && !a.explained());
    if (wasSent) {
      find(Finding.Kind.UNASKED, row.jobId(), "timed out, and was launched all the same");
    }
  }

  /** How its document may have said that it waits; what is launched by hand needs no active one. */
  private List<Wish> wishes(JobRow row, Predicate<Wish> asked) {
    boolean isByHand = mayBeByHand(row);
    return schedule.spans().stream()
        .filter(span -> isByHand || span.mayHold(row.began(), Judge.SKEW, Causes.DATED))
        .map(Span::wish)
        .filter(asked)
        .toList();
  }

  private boolean mayBeByHand(JobRow row) {
    return schedule.operations().stream()
        .filter(operation -> operation.kind() == Kind.LAUNCH)
        .anyMatch(call -> call.isUnknown() || row.jobId().equals(call.answer()));
  }

  /** What it stands for is judged with the fires that were missed, or by what it names. */
  private void judgeSkipped(JobRow row) {
    switch (row.why().code()) {
      case Causes.MISSED -> {
        // CatchUpJudge counts its fires.
      }
      case Causes.MERGED, Causes.DROPPED -> judgeWaited(row, Causes.pending(row));
      case Causes.SKIPPED_BY_HAND -> {
        if (schedule.operations().stream().noneMatch(call -> maySkip(call, row))) {
          find(Finding.Kind.LOST, row.jobId(), "was skipped by hand, but no user did that");
        }
      }
      default -> find(Finding.Kind.LOST, row.jobId(), "was skipped without a cause");
    }
  }

  private static boolean maySkip(Operation call, JobRow row) {
    return call.kind() == Kind.SKIP
        && (call.done() || call.isUnknown())
        && call.called() <= row.changed() + Judge.SKEW;
  }

  private void judgeWaited(JobRow row, @Nullable Pending pending) {
    if (wishes(row, wish -> wish.waits().pending() == pending).isEmpty()) {
      find(Finding.Kind.LOST, row.jobId(), "was not a job, but nobody asked for that");
    }
    if (!causes.mayHaveWaited(row.why().arguments().get(0), row.changed())) {
      find(Finding.Kind.LOST, row.jobId(), "was not a job, but none waited then");
    }
  }

  private void judgeLaunch(Launch launch, Map<String, Integer> merged) {
    String job = launch.arrival().jobId();
    JobRow row = rows.get(job);
    Wish wish = wish(launch);
    if (wish == null || row == null || !launch.backfill().isEmpty()) {
      return;
    }
    Waits waits = wish.waits();
    long ready = Math.max(row.began(), launch.isByHand() ? row.began() : launch.scheduledFor());
    boolean isOver =
        waits.launchesAnyway()
            && launch.arrival().at()
                >= clock.earliest(row.began(), waits.timeout(), launch.isByHand()) - Judge.SKEW;
    if (launch.arrival().at() < ready + waits.delay() - Judge.SKEW && !isOver) {
      find(Finding.Kind.EARLY, job, "its delay was not over");
    }
    long latest = clock.latest(row.began(), waits.timeout(), end -> history.bound(end, wish));
    if (waits.timeout() > 0
        && latest != History.NEVER
        && launch.arrival().at() > history.bound(latest, wish)) {
      find(Finding.Kind.LATE, job, "launched long after its time-out");
    }
    if (wish.isPlain() && wish.leaves().size() == 1 && !launch.isByHand()) {
      long fires = launch.counts().stream().mapToLong(count -> count).sum();
      if (fires != 1 + merged.getOrDefault(job, 0)) {
        find(Finding.Kind.MISCOUNTED, job, "stands for " + fires + " fires");
      }
    }
  }

  private @Nullable Wish wish(Launch launch) {
    return schedule.spans().stream()
        .map(Span::wish)
        .filter(wish -> wish.version() == launch.version())
        .findFirst()
        .orElse(null);
  }

  /** Only what the last document collects; what is left of others has no time-out of its own. */
  private void judgeOpen(OpenRow row) {
    if (schedule.spans().isEmpty()) {
      return;
    }
    Span last = schedule.spans().get(schedule.spans().size() - 1);
    long timeout = last.wish().waits().timeout();
    long latest = clock.latest(row.opened(), timeout, history::bound);
    if (timeout > 0
        && latest != History.NEVER
        && last.endsBy() == History.NEVER
        && row.opened() > last.beginsBy() + Judge.SKEW
        && history.bound(latest) + Judge.SKEW < history.end()) {
      find(Finding.Kind.STUCK, null, "collects after its time-out");
    }
  }

  /** What was collected in an earlier life is dropped when whoever began in that has ended. */
  private void judgeLeft(OpenRow row) {
    List<Phase> life = schedule.lastLife();
    if (life.isEmpty()) {
      return;
    }
    Phase first = life.get(0);
    boolean isLeft =
        life.stream().noneMatch(Phase::collects) || row.opened() < first.from() - Judge.SKEW;
    if (isLeft
        && first.by() != History.NEVER
        && history.bound(first.by() + CHANGE_SETTLES) + Judge.SKEW < history.end()) {
      find(Finding.Kind.STUCK, null, "has kept what a change should have dropped");
    }
  }

  private void find(Finding.Kind kind, @Nullable String jobId, String what) {
    findings.add(new Finding(kind, schedule.name(), jobId, what));
  }
}
