package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.report.RefusalText;
import dev.carillon.report.ReportReader;
import dev.carillon.report.ReportReader.Kind;
import dev.carillon.report.ReportReader.Read;
import dev.carillon.report.RunReports;
import dev.carillon.report.RunReports.Reported;
import dev.carillon.run.Report;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Takes the claims and reports of workers, and the requests of callers to cancel or retry a job.
 */
final class RunRoutes {

  private static final int MOST_ATTEMPTS = 10_000;
  private static final TextForm WORKER = TextForm.line(256);

  private final RunReports reports;
  private final InstantSource clock;
  private final Supplier<UUID> random;
  private final Predicate<JobId> isCollecting;

  /**
   * @param isCollecting whether the job with an id is a collecting job
   */
  RunRoutes(
      RunReports reports,
      InstantSource clock,
      Supplier<UUID> random,
      Predicate<JobId> isCollecting) {
    this.reports = reports;
    this.isCollecting = isCollecting;
    this.clock = clock;
    this.random = random;
  }

  APIGatewayProxyResponseEvent claim(Call call) {
    JobId id = JobRoutes.jobId(call);
    Faults faults = new Faults();
    Fields body = call.fields(faults, List.of("worker", "attempt"));
    String worker = body.text("worker", WORKER);
    Integer attempt =
        body.has("attempt") ? Integer.valueOf((int) body.whole("attempt", 1, MOST_ATTEMPTS)) : null;
    Problem.refuse(faults);
    Job job = accepted(id, reports.claim(id, worker, attempt, random.get().toString()));
    return Answer.of(200, ClaimView.of(job, clock.instant()));
  }

  APIGatewayProxyResponseEvent heartbeat(Call call) {
    Job job = report(call, Kind.HEARTBEAT);
    boolean isCancelled = Objects.requireNonNull(job.run()).isCancelRequested();
    ObjectNode answer = ClaimView.expiring(Json.object(), job, clock.instant());
    return Answer.of(200, answer.put("cancelled", isCancelled));
  }

  private Job report(Call call, Kind kind) {
    JobId id = JobRoutes.jobId(call);
    Faults faults = new Faults();
    Read read = ReportReader.read(kind, call.fields(faults, kind.members()));
    if (read.tooLarge() != null) {
      throw Problem.tooLarge(read.tooLarge());
    }
    Problem.refuse(faults);
    Optional<Reported> reported = reports.report(id, read.report());
    reported.ifPresent(known -> refuseUnknown(known, read.report()));
    return accepted(id, reported);
  }

  private static void refuseUnknown(Reported reported, Report report) {
    if (report instanceof Report.Heartbeat heartbeat
        && reported.result().equals(new Refused(Refusal.UNKNOWN_OPERATION))) {
      throw Problem.invalid(
          RefusalText.unknownOperations(reported.job(), heartbeat.operations().keySet()));
    }
  }

  APIGatewayProxyResponseEvent succeed(Call call) {
    return state(report(call, Kind.SUCCEED));
  }

  APIGatewayProxyResponseEvent fail(Call call) {
    return state(report(call, Kind.FAIL));
  }

  APIGatewayProxyResponseEvent cancel(Call call) {
    return carryOut(call, reports::cancel);
  }

  APIGatewayProxyResponseEvent retry(Call call) {
    return carryOut(call, reports::retry);
  }

  @FunctionalInterface
  private interface Request {
    Optional<Reported> carryOut(JobId id, String caller);
  }

  private APIGatewayProxyResponseEvent carryOut(Call call, Request request) {
    JobId id = JobRoutes.jobId(call);
    Faults faults = new Faults();
    call.fields(faults, List.of());
    Problem.refuse(faults);
    return state(accepted(id, request.carryOut(id, call.caller())));
  }

  private static APIGatewayProxyResponseEvent state(Job job) {
    return Answer.of(
        200, Json.object().put("jobId", job.id().toString()).put("state", job.state().name()));
  }

  private Job accepted(JobId id, Optional<Reported> reported) {
    Reported known = reported.orElseThrow(() -> notStored(id));
    if (known.result() instanceof Refused refused) {
      throw refusal(known.job(), refused.why());
    }
    return known.job();
  }

  private Problem notStored(JobId id) {
    return isCollecting.test(id)
        ? Problem.conflict(
            "the job still collects events; to cancel it, delete its schedule, suspend it in the mode discard, or replace its definition")
        : JobRoutes.missing(id.toString());
  }

  private static Problem refusal(Job job, Refusal why) {
    String text = RefusalText.of(job, why);
    return switch (why) {
      case SUPERSEDED -> Problem.superseded(text);
      case NOT_YET -> Problem.notYet(text);
      case STALE -> Problem.staleClaim(text);
      case BUSY -> Problem.concurrent(text);
      default -> Problem.conflict(text);
    };
  }
}
