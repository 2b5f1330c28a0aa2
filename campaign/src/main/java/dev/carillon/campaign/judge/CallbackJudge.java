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

  /** How long after the last fault a refused request may have been carried out all the same. */
  private static final long LONGEST_CALL = TrackedJob.LONGEST_CALL;

  private final History history;
  private final List<Finding> findings;

  CallbackJudge(History history, List<Finding> findings) {
    this.history = history;
    this.findings = findings;
  }

  void judge() {
    Map<String, Set<Integer>> attempts = new TreeMap<>();
    for (ArrivedCallback callback : history.callbacks()) {
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

  /** How many retries callers may have had. */
  private long retries(String job) {
    return history.runCalls().stream()
        .filter(call -> call.kind() == Kind.RETRY && call.jobId().equals(job))
        .filter(call -> call.mayBeAccepted() || call.called() <= history.faultsTo() + LONGEST_CALL)
        .count();
  }
}
