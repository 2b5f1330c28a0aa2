package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredCollectingJob;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.WaitPolicy.Pending;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Judges jobs that waited. No job times out, or launches unsatisfied, before its time-out or much
 * later. A merged or dropped job had another job that waited at that time.
 */
final class WaitJudge {

  /**
   * How long after a change a function that has read the old document may still begin and finish a
   * pass.
   */
  private static final long CHANGE_SETTLES = 45_000;

  private final History history;
  private final Schedule schedule;
  private final TimeoutClock clock;
  private final Causes causes;
  private final List<Finding> findings;
  private final Map<String, StoredJob> jobs = new HashMap<>();

  WaitJudge(History history, Schedule schedule, List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.clock = schedule.clock();
    this.causes = new Causes(history);
    this.findings = findings;
    history.jobs().stream()
        .filter(stored -> stored.schedule().equals(schedule.name()))
        .forEach(stored -> jobs.put(stored.jobId(), stored));
  }

  void judge() {
    Map<String, Integer> merged = new HashMap<>();
    for (StoredJob stored : jobs.values()) {
      if (stored.state().equals("TIMED_OUT")) {
        judgeTimedOut(stored);
      }
      if (stored.state().equals("SKIPPED")) {
        judgeSkipped(stored);
      }
      if (Causes.pending(stored) == Pending.MERGE) {
        merged.merge(stored.why().arguments().get(0), 1, Integer::sum);
      }
    }
    schedule.launches().forEach(launch -> judgeLaunch(launch, merged));
    history.open().stream()
        .filter(stored -> stored.schedule().equals(schedule.name()))
        .forEach(
            stored -> {
              judgeOpen(stored);
              judgeLeft(stored);
            });
  }

  private void judgeTimedOut(StoredJob stored) {
    List<ScheduleSpec> specs = specs(stored, spec -> spec.waits().discards());
    if (specs.isEmpty()) {
      find(Finding.Kind.LOST, stored.jobId(), "timed out, but no document asks for that");
      return;
    }
    if (specs.stream().noneMatch(spec -> causes.explain(stored, spec))) {
      find(Finding.Kind.LOST, stored.jobId(), "timed out, but nothing held it back");
    }
    List<WaitPolicy> waits = specs.stream().map(ScheduleSpec::waits).toList();
    long shortest = waits.stream().mapToLong(WaitPolicy::timeout).min().orElse(0);
    long longest = waits.stream().mapToLong(WaitPolicy::timeout).max().orElse(0);
    long earliest = clock.earliest(stored.began(), shortest, mayBeManual(stored));
    long latest = clock.latest(stored.began(), longest, history::bound);
    if (stored.changed() < earliest - Judge.SKEW) {
      find(Finding.Kind.EARLY, stored.jobId(), "timed out before its time");
    }
    if (latest != History.NEVER && stored.changed() > history.bound(latest) + Judge.SKEW) {
      find(Finding.Kind.LATE, stored.jobId(), "timed out long after its time");
    }
    boolean wasSent =
        schedule.launches().stream()
            .map(Launch::arrival)
            .anyMatch(a -> a.jobId().equals(stored.jobId()) && !a.explained());
    if (wasSent) {
      find(Finding.Kind.UNASKED, stored.jobId(), "timed out, but was launched as well");
    }
  }

  /**
   * The documents that the schedule of a job may have had when the job began. A manual launch does
   * not need an active schedule.
   */
  private List<ScheduleSpec> specs(StoredJob stored, Predicate<ScheduleSpec> asked) {
    boolean isManual = mayBeManual(stored);
    return schedule.spans().stream()
        .filter(
            span -> isManual || span.mayHold(stored.began(), Judge.SKEW, Causes.DATING_TOLERANCE))
        .map(Span::spec)
        .filter(asked)
        .toList();
  }

  private boolean mayBeManual(StoredJob stored) {
    return schedule.operations().stream()
        .filter(operation -> operation.kind() == Kind.LAUNCH)
        .anyMatch(call -> call.isUnknown() || stored.jobId().equals(call.answer()));
  }

  /** Judges a skipped job by its reason. */
  private void judgeSkipped(StoredJob stored) {
    switch (stored.why().code()) {
      case Causes.MISSED -> {
        // CatchUpJudge judges these jobs.
      }
      case Causes.MERGED, Causes.DROPPED -> judgeWaited(stored, Causes.pending(stored));
      case Causes.SKIPPED_BY_HAND -> {
        if (schedule.operations().stream().noneMatch(call -> maySkip(call, stored))) {
          find(
              Finding.Kind.LOST,
              stored.jobId(),
              "was skipped manually, but no user asked for that");
        }
      }
      case UnmetCauses.UNMET -> {
        if (specs(stored, spec -> causes.explain(stored, spec)).isEmpty()) {
          find(Finding.Kind.LOST, stored.jobId(), "was skipped, but nothing held it back");
        }
      }
      default -> find(Finding.Kind.LOST, stored.jobId(), "was skipped without a cause");
    }
  }

  private static boolean maySkip(Operation call, StoredJob stored) {
    return call.kind() == Kind.SKIP
        && (call.done() || call.isUnknown())
        && call.called() <= stored.changed() + Judge.SKEW;
  }

  private void judgeWaited(StoredJob stored, @Nullable Pending pending) {
    if (specs(stored, spec -> spec.waits().pending() == pending).isEmpty()) {
      find(
          Finding.Kind.LOST,
          stored.jobId(),
          "was merged or dropped, but no document asks for that");
    }
    if (!causes.mayHaveWaited(stored.why().arguments().get(0), stored.changed())) {
      find(Finding.Kind.LOST, stored.jobId(), "was merged or dropped, but no job waited then");
    }
  }

  /**
   * Whether a version of the calendar may have excluded the fire, although a later version did not.
   */
  private boolean mayHaveBeenExcluded(Launch launch, ScheduleSpec spec) {
    return !launch.isManual()
        && history.exclusions().mayBeExcluded(spec, launch.scheduledFor(), launch.arrival().at());
  }

  private void judgeLaunch(Launch launch, Map<String, Integer> merged) {
    String job = launch.arrival().jobId();
    StoredJob stored = jobs.get(job);
    ScheduleSpec spec = spec(launch);
    if (spec == null || stored == null || !launch.backfill().isEmpty()) {
      return;
    }
    WaitPolicy waits = spec.waits();
    long ready =
        Math.max(stored.began(), launch.isManual() ? stored.began() : launch.scheduledFor());
    boolean hasEnded =
        waits.launchesAnyway()
            && launch.arrival().at()
                >= clock.earliest(stored.began(), waits.timeout(), launch.isManual()) - Judge.SKEW;
    if (launch.arrival().at() < ready + waits.delay() - Judge.SKEW && !hasEnded) {
      find(Finding.Kind.EARLY, job, "launched before the end of its delay");
    }
    long latest = clock.latest(stored.began(), waits.timeout(), end -> history.bound(end, spec));
    if (waits.timeout() > 0
        && latest != History.NEVER
        && launch.arrival().at() > history.bound(latest, spec)
        && !mayHaveBeenExcluded(launch, spec)) {
      find(Finding.Kind.LATE, job, "launched long after its time-out");
    }
    if (spec.isPlain() && spec.leaves().size() == 1 && !launch.isManual()) {
      long fires = launch.counts().stream().mapToLong(count -> count).sum();
      if (fires != 1 + merged.getOrDefault(job, 0)) {
        find(Finding.Kind.MISCOUNTED, job, "counts " + fires + " fires");
      }
    }
  }

  private @Nullable ScheduleSpec spec(Launch launch) {
    return schedule.spans().stream()
        .map(Span::spec)
        .filter(spec -> spec.version() == launch.version())
        .findFirst()
        .orElse(null);
  }

  /**
   * Judges a collecting job of the last document; collecting jobs that are left from earlier
   * documents have no time-out.
   */
  private void judgeOpen(StoredCollectingJob stored) {
    if (schedule.spans().isEmpty()) {
      return;
    }
    Span last = schedule.spans().get(schedule.spans().size() - 1);
    long timeout = last.spec().waits().timeout();
    long latest = clock.latest(stored.opened(), timeout, history::bound);
    if (timeout > 0
        && latest != History.NEVER
        && last.endsBy() == History.NEVER
        && stored.opened() - Judge.SKEW > last.beginsBy()
        && history.bound(latest) + Judge.SKEW < history.end()) {
      find(Finding.Kind.STUCK, null, "still collects after its time-out");
    }
  }

  /**
   * A collecting job of an earlier life is dropped once all functions that began in that life have
   * ended.
   */
  private void judgeLeft(StoredCollectingJob stored) {
    List<Phase> life = schedule.lastLife();
    if (life.isEmpty()) {
      return;
    }
    Phase first = life.get(0);
    boolean isLeft =
        life.stream().noneMatch(Phase::collects) || stored.opened() < first.from() - Judge.SKEW;
    if (isLeft
        && first.by() != History.NEVER
        && history.bound(first.by() + CHANGE_SETTLES) + Judge.SKEW < history.end()) {
      find(
          Finding.Kind.STUCK, null, "still has a collecting job that a change should have dropped");
    }
  }

  private void find(Finding.Kind kind, @Nullable String jobId, String what) {
    findings.add(new Finding(kind, schedule.name(), jobId, what));
  }
}
