package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.LimitFacts.ReportedEnd;
import dev.carillon.campaign.judge.LimitedLaunches.LimitedLaunch;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.GateLimit;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.Pause;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.Limits.Window;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Judges windows and limits on runs, by requests and reports alone. Workers report the ends of
 * these runs. An end counts from the instant at which it was sent; until its event is processed,
 * the run is unfinished for the system. If a constraint with {@code onUnmet: skip} did not hold at
 * a check of a job, the job must not be launched later.
 */
final class ConstraintJudge {

  private final History history;
  private final LimitedLaunches launches;
  private final List<Finding> findings;

  ConstraintJudge(History history, LimitedLaunches launches, List<Finding> findings) {
    this.history = history;
    this.launches = launches;
    this.findings = findings;
  }

  void judge() {
    for (LimitedLaunch launch : launches.all()) {
      if (launch.isHeld()) {
        launch.limits().all().forEach(limit -> judge(limit, launch));
      }
    }
  }

  private void judge(Limit limit, LimitedLaunch launch) {
    long sent = launch.at();
    if (isUnmet(limit, launch, sent - LimitedLaunches.DECIDED_BEFORE, sent)) {
      find(Finding.Kind.LIMIT, launch, "was launched although this did not hold: " + limit);
    }
    if (limit.skips()) {
      judgeSkip(limit, launch);
    }
  }

  /**
   * The job of a fire is stored at its first check. If the constraint did not hold then, the job
   * ended at this check.
   */
  private void judgeSkip(Limit limit, LimitedLaunch launch) {
    boolean isFire = launch.spec().isPlain() && !launch.launch().isManual();
    StoredJob stored = stored(launch.jobId());
    if (!isFire || stored == null) {
      return;
    }
    long first = stored.first();
    long tolerance = 2 * history.skew();
    boolean mayBeHeld = launch.schedule().mayHold(first - Judge.IN_FLIGHT, first + Judge.IN_FLIGHT);
    boolean mayWait =
        !(limit instanceof Window) && mayWait(launch, first - tolerance, first + tolerance);
    if (!mayBeHeld && !mayWait && isUnmet(limit, launch, first - tolerance, first + tolerance)) {
      find(Finding.Kind.UNASKED, launch, "was launched although it had to end by: " + limit);
    }
  }

  /**
   * Whether the job may have waited for a window first. A gate is checked only after the clock has
   * let the job go.
   */
  private static boolean mayWait(LimitedLaunch launch, long from, long to) {
    return launch.limits().all().stream()
        .anyMatch(
            it ->
                it instanceof Window window
                    && !window.skips()
                    && LongStream.of(from, (from + to) / 2, to)
                        .anyMatch(at -> WindowTimes.isClosed(window, at, at)));
  }

  private @Nullable StoredJob stored(String jobId) {
    return history.jobs().stream().filter(it -> it.jobId().equals(jobId)).findFirst().orElse(null);
  }

  /** Whether a constraint certainly did not hold at any instant from one to another. */
  private boolean isUnmet(Limit limit, LimitedLaunch launch, long from, long to) {
    if (limit instanceof Window window) {
      return WindowTimes.isClosed(window, from, to + 2 * history.skew());
    }
    if (!(limit instanceof GateLimit gate) || launch.limits().ends() == Ends.NONE) {
      return false;
    }
    // The later one of the two decisions counted the other launch, so the launch whose request was
    // sent later is judged.
    long before = to == launch.at() ? launch.at() : from - LimitedLaunches.DECIDED_BEFORE;
    List<LimitedLaunch> others =
        launches.all().stream()
            .filter(it -> !it.jobId().equals(launch.jobId()) && it.at() < before)
            .filter(it -> launches.certainlyCounts(gate, launch, it))
            .toList();
    long unfinished = unfinished(launch, others, to);
    if (limit instanceof RunLimit runs) {
      return unfinished >= runs.max();
    }
    return limit instanceof Pause pause && (unfinished > 0 || mustPause(pause, launch, others, to));
  }

  /** How many of the runs were certainly unfinished until an instant. */
  private long unfinished(LimitedLaunch launch, List<LimitedLaunch> others, long to) {
    List<ReportedEnd> ends = ends(launch, to);
    if (launch.limits().ends() == Ends.UNNAMED) {
      return others.stream().map(LimitedLaunch::jobId).distinct().count() - ends.size();
    }
    return others.stream()
        .map(LimitedLaunch::jobId)
        .distinct()
        .filter(job -> ends.stream().noneMatch(it -> it.jobId().equals(job)))
        .count();
  }

  /** The reports about the program that were sent until an instant. */
  private List<ReportedEnd> ends(LimitedLaunch launch, long to) {
    return history.limits().ends().stream()
        .filter(it -> it.program().equals(launch.limits().program()) && it.sent() <= to)
        .toList();
  }

  /**
   * Whether a counted run succeeded less than the duration before the instant. If ends name no run,
   * this is known only if each request arrived once.
   */
  private boolean mustPause(
      Pause pause, LimitedLaunch launch, List<LimitedLaunch> others, long to) {
    boolean isNamed = launch.limits().ends() == Ends.NAMED;
    boolean isKnown =
        isNamed
            || launches.all().stream()
                .filter(it -> it.limits().program().equals(launch.limits().program()))
                .noneMatch(it -> it.launch().arrival().explained());
    return isKnown
        && ends(launch, to).stream()
            .filter(it -> it.status().equals("SUCCEEDED"))
            .filter(it -> others.stream().anyMatch(one -> one.jobId().equals(it.jobId())))
            .anyMatch(it -> to < it.sent() + pause.duration() - 2 * history.skew());
  }

  private void find(Finding.Kind kind, LimitedLaunch launch, String what) {
    findings.add(new Finding(kind, launch.schedule().name(), launch.jobId(), what));
  }
}
