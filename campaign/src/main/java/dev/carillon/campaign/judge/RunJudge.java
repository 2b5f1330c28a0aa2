package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges how many runs go on at a time where documents limit that: by when requests arrived and
 * runs ended, whatever the system takes for unfinished. Runs of which nobody knows that they began
 * hold no slot: the request seemed refused, or was sent by a process that died, and cancelled. Nor
 * are those counted that are launched at their time-out, whatever the limit says.
 */
final class RunJudge {

  private final History history;
  private final List<Finding> findings;

  RunJudge(History history, List<Finding> findings) {
    this.history = history;
    this.findings = findings;
  }

  void judge() {
    Map<String, Launch> launches = new HashMap<>();
    for (Arrival arrival : history.arrivals()) {
      launches.putIfAbsent(arrival.jobId(), Launch.read(arrival));
    }
    Set<String> cancelled =
        history.rows().stream()
            .filter(row -> row.state().equals("CANCELLED"))
            .map(JobRow::jobId)
            .collect(Collectors.toSet());
    List<Run> counted = new ArrayList<>();
    for (Run run : history.runs()) {
      Wish wish = wish(launches.get(run.jobId()));
      boolean isKnown = run.known() && !cancelled.contains(run.jobId());
      if (isKnown && wish != null && !wish.waits().launchesAnyway()) {
        counted.add(run);
        judge(run, counted, wish.limit());
      }
    }
  }

  /**
   * @param begun with this one, in order
   */
  private void judge(Run run, List<Run> begun, int limit) {
    long atOnce = begun.stream().filter(other -> other.to() > run.from()).count();
    if (limit > 0 && atOnce > limit) {
      findings.add(
          new Finding(
              Finding.Kind.LIMIT,
              "#program:",
              run.jobId(),
              "began as number " + atOnce + " of at most " + limit + " runs"));
    }
  }

  private @Nullable Wish wish(@Nullable Launch launch) {
    return history.operations().stream()
        .map(Operation::wish)
        .filter(wish -> wish != null && launch != null && wish.version() == launch.version())
        .findFirst()
        .orElse(null);
  }
}
