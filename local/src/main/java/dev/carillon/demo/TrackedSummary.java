package dev.carillon.demo;

import dev.carillon.client.Job;
import dev.carillon.client.Job.Attempt;
import dev.carillon.client.Job.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The outcomes of the demo's tracked jobs.
 *
 * @param runs the runs by schedule
 * @param done the pieces of work that were carried out, with one entry for each time
 * @param isLateReportRefused whether the report of the worker that had lost its claim was refused
 */
record TrackedSummary(Map<String, Run> runs, List<String> done, boolean isLateReportRefused) {

  private static final String ROW = "  %-9s  %8s  %-9s  %s";

  /** A tracked job and its attempts, in order. */
  record Run(State state, List<Attempt> attempts) {

    static Run of(Job job) {
      return new Run(job.state(), job.attempts());
    }

    /** Whether an attempt was claimed before the previous one had ended. */
    boolean hasTwoAtOnce() {
      for (int i = 1; i < attempts.size(); i++) {
        Instant ended = attempts.get(i - 1).endedAt();
        Instant claimed = attempts.get(i).claimedAt();
        if (ended == null || (claimed != null && claimed.isBefore(ended))) {
          return true;
        }
      }
      return false;
    }
  }

  /** The faults, one sentence each. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (String name : List.of(TrackedJobs.ENCODER, TrackedJobs.IMPORTER)) {
      addFaults(faults, name, runs.getOrDefault(name, new Run(State.PENDING_LAUNCH, List.of())));
    }
    for (String work : TrackedJobs.WORK) {
      int times = Collections.frequency(done, work);
      if (times != 1) {
        faults.add("\"%s\" was carried out %d times".formatted(work, times));
      }
    }
    if (!isLateReportRefused) {
      faults.add("the report of a worker that had lost its claim was not refused");
    }
    return faults;
  }

  private static void addFaults(List<String> faults, String name, Run run) {
    if (run.state() != State.SUCCEEDED) {
      faults.add("the tracked job of %s is %s".formatted(name, run.state()));
    }
    if (run.attempts().size() < 2) {
      faults.add("the tracked job of %s was not attempted again".formatted(name));
    }
    if (run.hasTwoAtOnce()) {
      faults.add("the tracked job of %s had two attempts at once".formatted(name));
    }
  }

  /** How an attempt ended, without the stack trace of an error. */
  private static String end(Attempt attempt) {
    return attempt.end() == null ? "" : attempt.end().lines().findFirst().orElse("");
  }

  void print(Screen screen) {
    screen.line("");
    screen.line(ROW, "tracked", "attempts", "state", "how its attempts ended");
    runs.forEach(
        (name, run) -> {
          screen.line(ROW, name, run.attempts().size(), run.state(), "");
          run.attempts().forEach(it -> screen.line(ROW, "", it.attempt(), "", end(it)));
        });
    screen.line(
        "Pieces of work: %d, carried out %d times. The late report of the silent worker was %s.",
        TrackedJobs.WORK.size(), done.size(), isLateReportRefused ? "refused" : "accepted");
  }
}
