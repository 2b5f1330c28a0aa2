package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.ArrivedCallback;
import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges how many callbacks a job has. Each end of a job has one callback. A job ends once, and
 * once more after each retry by a caller. Job id and attempt identify a callback; the same callback
 * can arrive again.
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
   * How many retries by callers may have been carried out. A refused request is one of them if a
   * fault may have hit it.
   */
  private long retries(String job) {
    return calls.stream()
        .filter(call -> call.kind() == Kind.RETRY && call.jobId().equals(job))
        .filter(call -> call.mayBeAccepted() || call.called() <= faultsTo + TrackedJob.LONGEST_CALL)
        .count();
  }
}
