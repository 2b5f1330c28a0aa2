package dev.carillon.metrics;

import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.run.FinalReport;
import dev.carillon.run.Run;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Counts what becomes of the attempts of tracked jobs, when a change of their job is stored. */
final class AttemptMetrics {

  private AttemptMetrics() {}

  static void count(Update update, Metrics metrics) {
    Job before = update.before();
    Job after = update.after();
    Run run = after.run();
    if (run == null || before.state() == after.state()) {
      return;
    }
    FinalReport end = accepted(before.run(), run);
    if (after.state() == JobState.CLAIMED) {
      metrics.count(Metric.ATTEMPTS_CLAIMED);
    }
    if (before.state() == JobState.CLAIMED && (after.state() == JobState.RUNNING || end != null)) {
      metrics.count(Metric.ATTEMPTS_STARTED);
    }
    if (end != null) {
      metrics.count(end.isSuccess() ? Metric.ATTEMPTS_SUCCEEDED : Metric.ATTEMPTS_FAILED);
    }
    if (after.state() == JobState.RETRY_WAIT || after.isEnded()) {
      countOverdue(after, metrics);
    }
  }

  /** The final report that the change accepted; null for none. */
  private static @Nullable FinalReport accepted(@Nullable Run before, Run after) {
    return before == null || Objects.equals(before.last(), after.last()) ? null : after.last();
  }

  private static void countOverdue(Job after, Metrics metrics) {
    Reason why = after.transitions().get(after.transitions().size() - 1).reason();
    if (why == null) {
      return;
    }
    switch (why.code()) {
      case HEARTBEAT_MISSING -> {
        metrics.count(Metric.ATTEMPTS_OVERDUE);
        metrics.count(Metric.HEARTBEATS_MISSED);
      }
      case CLAIM_MISSING, START_MISSING, RUN_TOO_LONG -> metrics.count(Metric.ATTEMPTS_OVERDUE);
      default -> {}
    }
  }
}
