package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Run;
import dev.carillon.campaign.judge.History.StoredJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges the numbers of concurrent runs that documents limit. It uses the arrivals of requests and
 * the ends of runs, independently of the system's own slots. A run holds no slot if the system does
 * not know that it started: its request seemed refused, or its sender died and the job was
 * cancelled. A job that launches at its time-out is not counted because it ignores the limit.
 */
final class RunJudge {

  private final History history;
  private final List<Finding> findings;

  RunJudge(History history, List<Finding> findings) {
    this.history = history;
    this.findings = findings;
  }

  void judge() {
    Set<String> ran = history.runs().stream().map(Run::jobId).collect(Collectors.toSet());
    Map<String, Launch> launches = new HashMap<>();
    for (Arrival arrival : history.arrivals()) {
      if (ran.contains(arrival.jobId())) {
        launches.computeIfAbsent(arrival.jobId(), any -> Launch.read(arrival));
      }
    }
    Set<String> cancelled =
        history.jobs().stream()
            .filter(stored -> stored.state().equals("CANCELLED"))
            .map(StoredJob::jobId)
            .collect(Collectors.toSet());
    List<Run> counted = new ArrayList<>();
    for (Run run : history.runs()) {
      ScheduleSpec spec = spec(launches.get(run.jobId()));
      boolean isKnown = run.known() && !cancelled.contains(run.jobId());
      if (isKnown && spec != null && !spec.waits().launchesAnyway()) {
        counted.add(run);
        judge(run, counted, spec.limit());
      }
    }
  }

  /**
   * @param begun the runs so far, including this one, in order
   */
  private void judge(Run run, List<Run> begun, int limit) {
    long atOnce = begun.stream().filter(other -> other.to() > run.from()).count();
    if (limit > 0 && atOnce > limit) {
      findings.add(
          new Finding(
              Finding.Kind.LIMIT,
              "#program:",
              run.jobId(),
              "is concurrent run " + atOnce + "; the limit is " + limit));
    }
  }

  private @Nullable ScheduleSpec spec(@Nullable Launch launch) {
    return history.operations().stream()
        .map(Operation::spec)
        .filter(spec -> spec != null && launch != null && spec.version() == launch.version())
        .findFirst()
        .orElse(null);
  }
}
