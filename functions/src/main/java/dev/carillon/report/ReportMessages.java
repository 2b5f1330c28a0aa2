package dev.carillon.report;

import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.document.Fault;
import dev.carillon.event.RejectedMessages;
import dev.carillon.event.RejectedMessages.Rejection;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.report.QueuedReport.Invalid;
import dev.carillon.report.QueuedReport.Valid;
import dev.carillon.report.RunReports.Reported;
import dev.carillon.run.FinalReport;
import dev.carillon.run.Report;
import dev.carillon.run.Report.Heartbeat;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the messages of the report queue. A report has the same effect as over HTTP, but its
 * worker gets no answer: a refused report goes to the rejected queue with the reason. A report
 * whose claim was lost is dropped and counted. That is no fault, because the job goes on without
 * this report.
 */
public final class ReportMessages {

  private static final Logger LOG = LoggerFactory.getLogger(ReportMessages.class);

  private final RunReports reports;
  private final RejectedMessages rejected;
  private final Fanout fanout;
  private final Metrics metrics;

  public ReportMessages(
      RunReports reports, RejectedMessages rejected, Fanout fanout, Metrics metrics) {
    this.reports = reports;
    this.rejected = rejected;
    this.fanout = fanout;
    this.metrics = metrics;
  }

  /**
   * One message as it was received.
   *
   * @param sentAt when the queue accepted it
   */
  public record Received(String messageId, String body, Instant sentAt) {}

  /** Processes the messages and returns the ids of those that must be received again. */
  public Set<String> handle(List<Received> messages, Deadline deadline) {
    Batch batch = new Batch(deadline);
    Map<JobId, List<Pending>> byJob = new LinkedHashMap<>();
    for (Received message : messages) {
      QueuedReport.Parsed parsed = QueuedReport.parse(message.body());
      if (parsed instanceof Invalid invalid) {
        batch.reject(message, invalid.reason());
      } else if (parsed instanceof Valid valid) {
        byJob
            .computeIfAbsent(valid.report().job(), any -> new ArrayList<>())
            .add(new Pending(message, valid.report()));
      }
    }
    fanout.forEach(List.copyOf(byJob.values()), batch::process);
    batch.sendRejected();
    return batch.failed;
  }

  /** Carries out a report about a job that does not exist, before a snapshot is taken. */
  public void prime(JobId absent) {
    reports.report(absent, new Report.Success("priming", null));
  }

  private record Pending(Received message, QueuedReport report) {}

  /** The outcomes of the messages of one call. */
  private final class Batch {
    private final Deadline deadline;
    private final Map<String, Rejection> rejections = new LinkedHashMap<>();
    final Set<String> failed = new HashSet<>();

    Batch(Deadline deadline) {
      this.deadline = deadline;
    }

    /** Processes the reports about one job in the order in which they were sent. */
    void process(List<Pending> ofJob) {
      ofJob.stream().sorted(Comparator.comparing(one -> one.message().sentAt())).forEach(this::one);
    }

    private void one(Pending pending) {
      if (deadline.hasPassed()) {
        fail(pending.message());
        return;
      }
      try {
        QueuedReport report = pending.report();
        Instant sentAt = pending.message().sentAt();
        Optional<Reported> reported = reports.report(report.job(), report.report(), sentAt);
        refusal(report, reported).ifPresent(reason -> refuse(pending.message(), reported, reason));
      } catch (RuntimeException unavailable) {
        LOG.warn(
            "could not process report {}; it will be received again",
            pending.message().messageId(),
            unavailable);
        fail(pending.message());
      }
    }

    private void refuse(Received message, Optional<Reported> reported, String reason) {
      if (reported.isPresent() && isStale(reported.get())) {
        LOG.info("dropped a report about {}: {}", reported.get().job().id(), reason);
        metrics.count(Metric.REPORTS_STALE);
      } else {
        reject(message, reason);
      }
    }

    private synchronized void fail(Received message) {
      failed.add(message.messageId());
    }

    synchronized void reject(Received message, String reason) {
      rejections.put(message.messageId(), new Rejection(message.body(), reason));
    }

    void sendRejected() {
      if (rejections.isEmpty()) {
        return;
      }
      try {
        rejected.reject(List.copyOf(rejections.values()));
        metrics.add(Metric.REPORTS_REJECTED, rejections.size());
      } catch (RuntimeException unavailable) {
        LOG.warn("could not reject reports; they will be received again", unavailable);
        failed.addAll(rejections.keySet());
      }
    }
  }

  private static Optional<String> refusal(QueuedReport report, Optional<Reported> reported) {
    if (reported.isEmpty()) {
      JobId id = report.job();
      return Optional.of(QueuedReport.unknown(id.schedule().namespace(), id.toString()));
    }
    Job job = reported.get().job();
    if (!(reported.get().result() instanceof Refused refused)
        || isOvertaken(report.report(), job)) {
      return Optional.empty();
    }
    if (refused.why() == Refusal.UNKNOWN_OPERATION
        && report.report() instanceof Heartbeat heartbeat) {
      return Optional.of(
          RefusalText.unknownOperations(job, heartbeat.operations().keySet()).stream()
              .map(Fault::detail)
              .collect(Collectors.joining("; ")));
    }
    return Optional.of(RefusalText.of(job, refused.why()));
  }

  private static boolean isStale(Reported reported) {
    return reported.result() instanceof Refused refused && refused.why() == Refusal.STALE;
  }

  /**
   * Whether a heartbeat comes after the final report of its claim. This is possible because the
   * queue keeps no order.
   */
  private static boolean isOvertaken(Report report, Job job) {
    FinalReport last = job.run() == null ? null : job.run().last();
    return report instanceof Heartbeat && last != null && last.token().equals(report.token());
  }
}
