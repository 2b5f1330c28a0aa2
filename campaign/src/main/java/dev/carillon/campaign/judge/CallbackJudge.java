package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.ArrivedCallback;
import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges how many callbacks a job has. Job id and attempt identify a callback, so one with the same
 * identity can arrive again. Each end has one, and a job ends once, and once more after each retry
 * by a caller.
 */
final class CallbackJudge {

  private final List<ArrivedCallback> callbacks;
  private final List<RunCall> calls;
  private final long faultsTo;
  private final List<Finding> findings;

  CallbackJudge(
      List<ArrivedCallback> callbacks, List<RunCall> calls, long faultsTo, List<Finding> findings) {
    this.callbacks = callbacks;
    this.calls = calls;
    this.faultsTo = faultsTo;
    this.findings = findings;
  }

  void judge() {
    Map<String, Set<Integer>> attempts = new TreeMap<>();
    for (ArrivedCallback callback : callbacks) {
      Set<Integer> ofJob = attempts.computeIfAbsent(callback.jobId(), any -> new TreeSet<>());
      ofJob.add(callback.attempt());
      long most = 1 + retries(callback.jobId());
      if (ofJob.size() == most + 1) {
        findings.add(
            new Finding(
                Finding.Kind.DOUBLED,
                callback.schedule(),
                callback.jobId(),
                "callbacks for the ends of the attempts "
                    + ofJob
                    + "; it ended "
                    + most
                    + " times"));
      }
    }
  }

  /**
   * How many retries callers may have had. A request that was refused while faults struck may have
   * been carried out all the same.
   */
  private long retries(String job) {
    return calls.stream()
        .filter(call -> call.kind() == Kind.RETRY && call.jobId().equals(job))
        .filter(call -> call.mayBeAccepted() || call.called() <= faultsTo + TrackedJob.LONGEST_CALL)
        .count();
  }
}
