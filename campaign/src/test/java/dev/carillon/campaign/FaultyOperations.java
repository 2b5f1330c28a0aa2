package dev.carillon.campaign;

import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.run.OperationState;
import dev.carillon.run.Operations;
import dev.carillon.run.Run;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Functions that mistake the operations of jobs, or the messages of the report queue. */
final class FaultyOperations {

  private FaultyOperations() {}

  private static Job with(Job job, Map<String, OperationState> states) {
    Run run = job.run();
    return FaultyRuns.with(
        job,
        job.attempt(),
        new Run(
            run.policy(),
            run.place(),
            new Operations(run.operations().all(), Map.copyOf(states)),
            run.claim(),
            run.last(),
            run.isCancelRequested(),
            run.progress(),
            run.output(),
            run.error()));
  }

  /** A failed attempt takes what it has done with it. */
  static Job forgotten(Job before, Job after) {
    return FaultyRuns.isRetried(before, after) ? with(after, Map.of()) : after;
  }

  /** What a failed attempt was running seems to run when the next one begins. */
  static Job kept(Job before, Job after) {
    if (before.run() == null || after.run() == null) {
      return after;
    }
    Map<String, OperationState> states = new HashMap<>(after.run().operations().reported());
    before
        .run()
        .operations()
        .reported()
        .forEach(
            (id, state) -> {
              if (state == OperationState.RUNNING) {
                states.putIfAbsent(id, state);
              }
            });
    return with(after, states);
  }

  /** A heartbeat that was sent before another one changes nothing, whatever is done. */
  static Job withoutOvertaken(Job before, Job after) {
    boolean goesOn = before.state() == JobState.RUNNING && after.state() == JobState.RUNNING;
    boolean isOvertaken =
        goesOn
            && Objects.equals(before.reportBy(), after.reportBy())
            && Objects.equals(before.claim().reportedAt(), after.claim().reportedAt());
    return isOvertaken ? with(after, before.run().operations().reported()) : after;
  }

  /** The function takes a success of the queue for a mistake. */
  static Tampering refusingSuccesses() {
    return new Tampering() {
      @Override
      public String received(FunctionName function, String body) {
        return function == FunctionName.REPORT
            ? body.replace("\"report\": \"succeed\"", "\"report\": \"success\"")
            : body;
      }
    };
  }
}
